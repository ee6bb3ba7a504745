/** An English source of three sentences. */
export const MILL = [
  "The old mill at the weir ground the corn of eleven villages until the spring flood of 1784.",
  "Its owner sold the stones to a bridge builder and moved with his daughters to the coast.",
  "Nobody rebuilt the wheel, because the new canal had taken most of the water.",
].join(" ");

/** A German translation of it. */
export const MILL_TRANSLATED = [
  "Die alte Mühle am Wehr mahlte bis zum Frühjahrshochwasser von 1784 das Korn von elf Dörfern.",
  "Ihr Besitzer verkaufte die Steine an einen Brückenbauer und zog mit seinen Töchtern an die Küste.",
  "Niemand baute das Rad wieder auf, weil der neue Kanal den größten Teil des Wassers genommen hatte.",
].join(" ");
