/** The title and the author that a file states for itself; null where it states none that looks like one. */
export type DocumentProperties = { readonly title: string | null; readonly author: string | null };

/** Longer ones are not names: titles of theses have up to some 250 characters. */
const TITLE_CHARS_MAX = 300;
const AUTHOR_CHARS_MAX = 200;

/**
 * The title and the author of a file, as far as they look like a title and the name of a person. Programs also write the name of the
 * file, a template's title or the name of an account there, and anybody can write anything: a value with markup, or that is too long,
 * counts as missing, and control characters, direction controls and invisible characters are left out.
 * @param filename of the file, which is no title
 */
export function documentProperties(
  stated: { readonly title: unknown; readonly author: unknown },
  filename: string,
): DocumentProperties {
  const title = cleaned(stated.title, TITLE_CHARS_MAX);
  const author = cleaned(stated.author, AUTHOR_CHARS_MAX);
  return {
    title: title !== undefined && looksLikeTitle(title, filename) ? title : null,
    author: author !== undefined && looksLikePerson(author) ? author : null,
  };
}

/** A value on one line without characters that show nothing; undefined for one that is empty or too long. */
function cleaned(value: unknown, charsMax: number): string | undefined {
  // Twice, as a character may take two units, and once more for characters that are left out.
  if (typeof value !== "string" || value.length > 3 * charsMax) return undefined;
  const shown = value.toWellFormed().replace(UNSEEN, "").replace(BLANK, " ").replace(OPEN_END, "").trim();
  return shown === "" || [...shown].length > charsMax ? undefined : shown;
}

/** All but the two signs that scripts write with, ZWNJ and ZWJ. */
const UNSEEN = /(?![\u200c\u200d])[\p{Bidi_C}\p{Default_Ignorable_Code_Point}\ufffd]/gu;

const BLANK = /[\s\p{Cc}]+/gu;

const OPEN_END = /[,;] ?$/;

function looksLikeTitle(title: string, filename: string): boolean {
  const lower = title.toLowerCase();
  const letters = title.match(/\p{L}/gu)?.length ?? 0;
  const signs = title.match(/\S/gu)?.length ?? 0;
  const words = title.split(" ");
  return (
    letters >= LETTER_SHARE_MIN * signs &&
    // One word may be a title, but is more often a placeholder or the name of a file.
    (words.length > 1 ? letters >= 4 : WITHOUT_SPACES.test(title)) &&
    !MARKUP.test(title) &&
    !FILE_NAME.test(lower) &&
    !PLACEHOLDER.test(lower) &&
    !(TEMPLATE.test(lower) && words.length <= TEMPLATE_WORDS_MAX) &&
    stemOf(lower) !== stemOf(filename.toLowerCase())
  );
}

/** Identifiers of articles, dates and numbers have fewer letters. */
const LETTER_SHARE_MIN = 0.6;

const WITHOUT_SPACES =
  /^(?:[^\p{L}]*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]){4}/u;

const MARKUP = /<[/!?a-z]|&[#a-z0-9]{2,8};|\\[a-z]+\{|[[*]\d+(?:em|ex|pt)/i;

/** Names of files and addresses: programs that print a document state its name as the title. */
const FILE_NAME =
  /^microsoft (?:word|powerpoint|excel|publisher) -|^(?:https?|ftp|file):|^[a-z]:\\|\\|^\/|\S_\S|\.(?:docx?|docm|dotx?|pdf|tex|dvi|p?s|eps|indd|qxd|odt|rtf|txt|md|pages|wpd|pptx?|xlsx?|html?)$/;

/** What programs and their templates state until somebody writes a title. */
const PLACEHOLDER =
  /^(?:word document|(?:new|blank|neues|leeres|nouveau|nuevo|novo|nuovo|nowy|новый|yeni) (?:microsoft )?(?:word )?(?:document|dokument|documento|документ|belge)|no title|ohne titel|kein titel|sans (?:titre|nom)|sin t[ií]tulo|sem t[ií]tulo|senza titolo|bez (?:tytułu|названия|имени)|tanpa judul|untitled.{0,20}|powerpoint[ -].*|(?:microsoft )?powerpoint presentation|slide \d+|document title|title of (?:the )?(?:document|paper|thesis|article)|(?:paper|thesis|your|the|article) title(?: here)?|(?:insert|enter|type|add) (?:your |the )?(?:document |paper )?title.*|preparation of papers .*|(?:instructions|guidelines) (?:for|to) authors.*|formatting instructions.*)$/;

const TEMPLATE =
  /template|vorlage|plantilla|modèle de|modello di|modelo de|szablon|шаблон|şablon|templat |模板|テンプレート|قالب/;

/** A longer one may be about templates. */
const TEMPLATE_WORDS_MAX = 8;

function stemOf(filename: string): string {
  return filename.replace(/\.[a-z0-9]{1,5}$/, "").replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function looksLikePerson(author: string): boolean {
  const words = author.split(/[\s,;&·、，]+/u).filter((word) => word !== "");
  const isName = NAME_WITHOUT_SPACES.test(author) || (words.length > 1 && words.every(isNameWord));
  return isName && words.some((word) => /^\p{Lu}|^\p{Lo}/u.test(word)) && !NOBODY.test(author.toLowerCase());
}

/** A word of a name: letters, with marks, hyphens, apostrophes and points within, such as `J.-P.` or `O’Brien`. */
function isNameWord(word: string): boolean {
  return /^\p{L}[\p{L}\p{M}.'’ʼ-]*$/u.test(word);
}

const NAME_WITHOUT_SPACES = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]{2,8}$/u;

/** Accounts, programs, devices and organisations. */
const NOBODY =
  /(?:^|[\s,;-])(?:admin\S*|user|users|owner|author|authors|student|guest|unknown|anonymous|anonym|nobody|test|default|root|your|name|me|microsoft|windows|office|apple|mac|macbook|pc|laptop|computer|desktop|hp|dell|acer|asus|lenovo|toshiba|samsung|adobe|acrobat|latex|word|scanner|writer|benutzer|nutzer|besitzer|verfasser|autor|autorin|utilisateur|auteur|usuario|usuário|propietario|utente|autore|użytkownik|пользователь|автор|администратор|админ|kullanıcı|yazar|pengguna|penulis|universit\S*|hochschule|college|school|institute?|institut\S*|department|faculty|fakultät|library|press|verlag|publishing|publishers?|elsevier|springer|wiley|inc\.?|ltd\.?|llc|gmbh|corp\.?|corporation|company|team|group)(?=$|[\s,;-])|^(?:用户|用戶|管理员|作者|匿名|未知|ユーザー|ユーザ|管理者|사용자|관리자|저자|مستخدم.*|المستخدم|مدير.*|उपयोगकर्ता.*)$/u;
