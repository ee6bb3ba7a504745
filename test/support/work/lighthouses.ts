export const LIGHTHOUSES = [
  "The first keepers of the northern lighthouses were fishermen who knew every rock of the coast.",
  "They carried whale oil up two hundred steps every evening and trimmed the wicks until dawn.",
  "In 1859 the administration replaced the oil with paraffin, which cost only half as much.",
  "Many families left the islands when electric lamps made their work unnecessary.",
  "Their small gardens behind the towers can still be seen today.",
].join(" ");

/** Resembles the first three sentences, but with names that they lack. */
export const OTHER_LIGHTHOUSES = [
  "On the coast of Maine the lamps were tended by sailors who knew each reef.",
  "At dusk John Reed bore oil up the stairs and cut the wicks till morning.",
  "When paraffin came to Boon Island in 1877, Ann Hale bought it at half the price.",
].join(" ");
