/** The parts of a line that may be a heading. */
export type HeadingLine = {
  /** 1 (highest) to 6 where markup says that the line is a heading; undefined for a plain line. */
  readonly level: number | undefined;
  /** The number before the title as its parts: `[8, 1]` for "8.1 Details"; empty without one. */
  readonly number: readonly number[];
  /** The punctuation after the number. */
  readonly numberEnd: string;
  /** Whether the line names itself a chapter: "Chapter 9 …", "第八章 …". */
  readonly isChapter: boolean;
  readonly title: string;
};

/** The longest heading, in UTF-16 units: "Appendix B: …" with a title of ten words has about 80. */
const HEADING_UNITS_MAX = 100;
const TITLE_WORDS_MAX = 8;

const ATX = /^(#{1,6})\s+(.*?)\s*#*$/;
const WIKI = /^(={1,6})\s*([^=].*?)\s*\1$/;
const UNDERLINE = /^\s{0,3}(?:={3,}|-{3,}|~{3,})\s*$/;
const DECORATION = /^[*_[【［〔<《\s]+|[*_\]】］〕>》:：\s]+$/g;
const NUMBER = /^(\d{1,3}(?:\.\d{1,2}){0,3})([.)．]?)\s+(?=\S)/;
const OTHER_NUMBER =
  /^(?:(?:[IVXLC]{1,6}|[A-Z])[.)]\s+|[IVXLC]{2,6}\s+|第?[一二三四五六七八九十]{1,3}[、.．章节節]\s*|\d{1,2}[.．、]?(?=\p{scx=Han}))/u;
const LABEL =
  /(?:(?:\s+(?:\p{L}|\d{1,2}|[IVX]{1,4})|(?<=\p{Lo})\s*(?:[A-Z]|\d{1,2}|[一二三四五六七八九十]))(?:\s*[.:：–—-].*)?|\s*[.:：–—-]\s.*)$/u;
const CHAPTER =
  /^(?:chapter|kapitel|chapitre|cap[ií]tulo|capitolo|hoofdstuk|rozdział|kapitola|глава|розділ|bölüm)\s+(?:\d+|[ivxlc]+)\b|^第\s?(?:\d{1,3}|[一二三四五六七八九十]{1,3})\s?[章节節部]/iu;
const ENTRY_PUNCTUATION = /[.,;()?!"“”„«»\d/@&]/;

/** The parts of a line short enough for a heading. Markup: `## Title`, `== Title ==`, or a `nextLine` of `===`, `---` or `~~~`. */
export function readHeading(line: string, nextLine: string): HeadingLine | undefined {
  const text = line.replace(/\p{Cf}/gu, "").trim();
  if (text === "" || text.length > HEADING_UNITS_MAX) return undefined;
  const markup = ATX.exec(text) ?? WIKI.exec(text);
  const level = markup?.[1]?.length ?? underlineLevel(text, nextLine);
  const bare = (markup?.[2] ?? text).replace(DECORATION, "");
  const numbered = NUMBER.exec(bare);
  const rest = numbered === null ? bare.replace(OTHER_NUMBER, "") : bare.slice(numbered[0].length);
  return {
    level,
    number: numbered?.[1]?.split(".").map(Number) ?? [],
    numberEnd: numbered?.[2] ?? "",
    isChapter: CHAPTER.test(bare),
    title: rest.replace(DECORATION, ""),
  };
}

/** Whether the whole title means a list of works in some language. */
export function isBibliographyTitle(title: string): boolean {
  return BIBLIOGRAPHY_KEYS.has(headingKey(title));
}

/** Whether the title belongs to another part of a text: "Anhang", "Appendix B: Proofs". */
export function isOtherSectionTitle(title: string): boolean {
  if (OTHER_SECTION_KEYS.has(headingKey(title))) return true;
  const unlabelled = title.replace(LABEL, "");
  return unlabelled !== title && OTHER_SECTION_KEYS.has(headingKey(unlabelled));
}

/** Whether a numbered line reads like a title: few words, a capital first, and no punctuation or figures as in an entry. */
export function readsLikeTitle(title: string): boolean {
  return (
    startsLikeTitle(title) && !ENTRY_PUNCTUATION.test(title) && title.split(/\s+/).length <= TITLE_WORDS_MAX
  );
}

/** Whether a title begins with a letter that is not lower case. */
export function startsLikeTitle(title: string): boolean {
  return /^[\p{Lu}\p{Lt}\p{Lo}]/u.test(title);
}

/** The title without case, accents, white space and invisible characters. */
function headingKey(title: string): string {
  return title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\p{M}\p{Cf}\s]/gu, "");
}

/** A row of dashes under a line that ends like a sentence or an entry is a rule and no underline. */
function underlineLevel(text: string, nextLine: string): number | undefined {
  if (!UNDERLINE.test(nextLine) || /[.,;]$/.test(text) || /^[-=~*_\s]+$/.test(text)) return undefined;
  return nextLine.trimStart().startsWith("=") ? 1 : 2;
}

/** Headings of a list of works. `headingKey` ignores case, accents and white space, so one spelling is enough. */
const BIBLIOGRAPHY_TITLES: readonly string[] = [
  // English
  "References | Reference | Reference list | List of references | References cited | Cited references",
  "References and notes | Notes and references | References & notes | Notes & references",
  "Bibliography | Bibliographies | Selected bibliography | Select bibliography",
  "Annotated bibliography | General bibliography | Bibliographic references",
  "Bibliographical references | Bibliography and references | Works cited | Works consulted",
  "Works referenced | Cited works | Sources cited | Sources | Source list | Literature",
  "Literature cited | Cited literature | Literature references | Further reading",
  // German
  "Literatur | Literaturverzeichnis | Literaturangaben | Literaturliste | Literaturhinweise",
  "Referenzen | Quellen | Quellenverzeichnis | Quellenangaben | Quellen- und Literaturverzeichnis",
  "Bibliografie | Literatur- und Quellenverzeichnis | Quellen und Literatur | Literatur und Quellen",
  "Weiterführende Literatur",
  // French
  "Bibliographie | Références | Références bibliographiques | Ouvrages cités",
  "Bibliographie sélective | Liste des références | Œuvres citées | Travaux cités",
  "Sources et bibliographie | Sitographie",
  // Spanish and Catalan
  "Referencias | Referencias bibliográficas | Bibliografía | Obras citadas | Lista de referencias",
  "Fuentes | Bibliografía citada | Literatura citada | Trabajos citados | Referències",
  "Referències bibliogràfiques",
  // Portuguese and Galician
  "Referências | Referências bibliográficas | Bibliografia | Obras citadas | Lista de referências",
  "Fontes",
  // Italian and Romanian
  "Riferimenti | Riferimenti bibliografici | Opere citate | Bibliografia essenziale | Fonti",
  "Bibliografie | Referințe | Referințe bibliografice | Lucrări citate",
  // Dutch
  "Literatuur | Literatuurlijst | Referenties | Bronnen | Bronnenlijst | Bronvermelding",
  "Geraadpleegde bronnen",
  // Swedish, Norwegian, Danish and Finnish
  "Referenser | Referenslista | Källor | Källförteckning | Litteratur | Litteraturförteckning",
  "Källhänvisningar | Referanser | Referanseliste | Litteraturliste | Kilder | Kildeliste",
  "Referencer | Kildehenvisninger | Lähteet | Lähdeluettelo | Viitteet | Kirjallisuus",
  "Kirjallisuusluettelo",
  // Polish, Czech, Slovak, Hungarian, Croatian and Slovenian
  "Literatura | Piśmiennictwo | Źródła | Wykaz literatury | Spis literatury | Literatura cytowana",
  "Použitá literatura | Seznam literatury | Seznam použité literatury | Zdroje",
  "Zoznam použitej literatúry | Irodalom | Irodalomjegyzék | Hivatkozások | Felhasznált irodalom",
  "Források | Viri | Popis literature",
  // Russian, Ukrainian, Bulgarian and Serbian
  "Список литературы | Список использованной литературы | Список использованных источников",
  "Литература | Библиография | Библиографический список | Источники | Список источников",
  "Использованная литература | Список літератури | Список використаних джерел",
  "Список використаної літератури | Література | Джерела | Бібліографія | Използвана литература",
  "Източници | Референции | Библиографија | Извори",
  // Greek and Turkish
  "Βιβλιογραφία | Αναφορές | Βιβλιογραφικές αναφορές | Πηγές | Παραπομπές | Kaynakça | Kaynaklar",
  "Referanslar | Yararlanılan kaynaklar | Bibliyografya",
  // Chinese, Japanese and Korean
  "参考文献 | 參考文獻 | 参考资料 | 參考資料 | 参考书目 | 參考書目 | 引用文献 | 引用文獻 | 文献 | 主要参考文献 | 参考資料 | 引用・参考文献 | 参考文献一覧",
  "文献一覧 | 参考図書 | 出典 | 참고문헌 | 참고자료 | 인용문헌 | 참고 문헌 목록 | 출처",
  // Arabic, Persian, Urdu and Hebrew
  "المراجع | قائمة المراجع | المصادر | المصادر والمراجع | قائمة المصادر والمراجع | مراجع | منابع",
  "فهرست منابع | منابع و مآخذ | حوالہ جات | کتابیات | ביבליוגרפיה | רשימת מקורות | מקורות",
  "רשימה ביבליוגרפית",
  // Hindi, Bengali, Thai, Vietnamese, Indonesian and Malay
  "संदर्भ | सन्दर्भ | संदर्भ सूची | सन्दर्भ सूची | संदर्भ ग्रंथ सूची | ग्रंथ सूची | ग्रन्थसूची",
  "তথ্যসূত্র | গ্রন্থপঞ্জি | เอกสารอ้างอิง | บรรณานุกรม | รายการอ้างอิง | อ้างอิง",
  "Tài liệu tham khảo | Danh mục tài liệu tham khảo | Daftar pustaka | Referensi | Rujukan",
  "Senarai rujukan",
].flatMap((titles) => titles.split(" | "));

/** Headings of parts that follow a bibliography, or that follow a table of contents at the start of a text. */
const OTHER_SECTION_TITLES: readonly string[] = [
  // English
  "Appendix | Appendices | Annex | Annexes | Supplement | Supplementary material",
  "Supplementary materials | Supporting information | Acknowledgement | Acknowledgements",
  "Acknowledgment | Acknowledgments | Glossary | About the author | About the authors",
  "Author contributions | Conflict of interest | Conflicts of interest | Competing interests",
  "Funding | Data availability | Ethics statement | Index | List of figures | List of tables",
  "Figures | Tables | Footnotes | Endnotes | Notes | External links | See also | Abstract | Summary",
  "Introduction | Background | Methods | Results | Discussion | Conclusion | Conclusions",
  "Declaration",
  // German
  "Anhang | Anhänge | Anlage | Anlagen | Danksagung | Eidesstattliche Erklärung",
  "Abbildungsverzeichnis | Tabellenverzeichnis | Weblinks | Einzelnachweise | Einleitung",
  "Zusammenfassung | Fazit | Glossar",
  // French
  "Annexe | Remerciements | Résumé | Conclusion générale | Glossaire | Table des matières",
  "Liens externes",
  // Spanish, Portuguese, Italian, Catalan and Romanian
  "Anexo | Anexos | Apéndice | Apéndices | Apêndice | Apêndices | Agradecimientos | Agradecimentos",
  "Introducción | Conclusiones | Introdução | Conclusão | Conclusões | Resumen | Resumo | Notas",
  "Appendice | Appendici | Allegato | Allegati | Ringraziamenti | Introduzione | Conclusioni | Annex",
  "Anexă | Anexe",
  // Dutch and the Nordic languages
  "Bijlage | Bijlagen | Dankwoord | Inleiding | Conclusie | Bilaga | Bilagor | Bilag | Vedlegg",
  "Liite | Liitteet | Tack | Kiitokset | Inledning | Innledning | Johdanto",
  // Slavic languages, Hungarian, Greek and Turkish
  "Załącznik | Załączniki | Aneks | Podziękowania | Wstęp | Zakończenie | Příloha | Přílohy | Príloha",
  "Prílohy | Poděkování | Приложение | Приложения | Благодарности | Введение | Заключение | Додаток",
  "Додатки | Вступ | Висновки | Подяки | Прилог | Melléklet | Mellékletek | Függelék",
  "Köszönetnyilvánítás | Παράρτημα | Παραρτήματα | Ευχαριστίες | Ek | Ekler | Teşekkür | Giriş",
  "Sonuç",
  // Asian languages, Arabic and Hebrew
  "附录 | 附錄 | 附件 | 致谢 | 致謝 | 后记 | 結論 | 结论 | 付録 | 補遺 | 謝辞 | おわりに | 부록 | 감사의 글 | 결론 | ملحق | الملحق",
  "ملاحق | الملاحق | شكر وتقدير | الخاتمة | المقدمة | پیوست | ضمیمہ | נספח | נספחים | תודות",
  "परिशिष्ट | आभार | পরিশিষ্ট | ภาคผนวก | กิตติกรรมประกาศ | Phụ lục | Lời cảm ơn | Lampiran",
  "Ucapan terima kasih",
].flatMap((titles) => titles.split(" | "));

const BIBLIOGRAPHY_KEYS: ReadonlySet<string> = new Set(BIBLIOGRAPHY_TITLES.map(headingKey));
const OTHER_SECTION_KEYS: ReadonlySet<string> = new Set(OTHER_SECTION_TITLES.map(headingKey));
