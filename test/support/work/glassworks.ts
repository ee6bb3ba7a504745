/** An English source of four sentences. */
export const GLASSWORKS = [
  "The glassworks of Brunnfeld made bottles for the mineral springs of the duchy from 1702 onwards.",
  "Each winter the masters felled the beeches on the northern slope and burned them to ash.",
  "A traveller from Uppsala wrote that forty children carried the sand up from the river.",
  "When the duke sold the forest to the railway, the furnaces went cold within a year.",
].join(" ");

/** A German translation of all but the third sentence. */
export const GLASSWORKS_TRANSLATED = [
  "Die Glashütte von Brunnfeld stellte ab 1702 Flaschen für die Mineralquellen des Herzogtums her.",
  "In jedem Winter fällten die Meister die Buchen am Nordhang und verbrannten sie zu Asche.",
  "Als der Herzog den Wald an die Eisenbahn verkaufte, erloschen die Öfen binnen eines Jahres.",
].join(" ");

/** All but the third sentence, reworded. */
export const GLASSWORKS_REWORDED = [
  "Starting in 1702, bottles for the spa waters of the duchy came out of Brunnfeld's glass factory.",
  "In the cold months the foremen cut down beech trees on the hillside facing north, which they turned into ash.",
  "Hardly twelve months after the ruler let the woods go to a railway company, the kilns had stopped burning.",
].join(" ");

/** German sentences of no source. */
export const OWN_GERMAN = [
  "Gestern habe ich im Garten die ersten Radieschen geerntet und gleich mit Butter und Brot gegessen.",
  "Meine Nachbarin meinte, dass es für Tomaten noch viel zu kalt sei.",
].join(" ");

/** English sentences of no source. */
export const OWN_ENGLISH = [
  "Yesterday I picked the first radishes of the year and ate them with bread and butter.",
  "My neighbour thinks that it is still far too cold for tomatoes.",
].join(" ");
