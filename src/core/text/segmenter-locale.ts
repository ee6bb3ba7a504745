/**
 * The locale whose segmentation rules serve `language`: itself, or English where ICU doesn't know it, whose rules are the root
 * locale's. (Asked for an unknown locale, `Intl` would take the host's, and the same text would differ between hosts.)
 */
export function segmenterLocale(language: string): string {
  const wellFormed = /^[a-z]{2,3}$/i.test(language);
  return wellFormed && Intl.Segmenter.supportedLocalesOf(language).length > 0 ? language : "en";
}
