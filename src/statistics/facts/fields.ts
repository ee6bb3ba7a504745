/** A field of OpenAlex's classification: what this service calls a discipline. */
export type Field = { readonly fieldId: number; readonly name: string; readonly domain: string };

const LIFE = "Life Sciences";
const SOCIAL = "Social Sciences";
const PHYSICAL = "Physical Sciences";
const HEALTH = "Health Sciences";

/** All 26 fields with their domains, by number. */
export const FIELDS: readonly Field[] = [
  field(11, "Agricultural and Biological Sciences", LIFE),
  field(12, "Arts and Humanities", SOCIAL),
  field(13, "Biochemistry, Genetics and Molecular Biology", LIFE),
  field(14, "Business, Management and Accounting", SOCIAL),
  field(15, "Chemical Engineering", PHYSICAL),
  field(16, "Chemistry", PHYSICAL),
  field(17, "Computer Science", PHYSICAL),
  field(18, "Decision Sciences", SOCIAL),
  field(19, "Earth and Planetary Sciences", PHYSICAL),
  field(20, "Economics, Econometrics and Finance", SOCIAL),
  field(21, "Energy", PHYSICAL),
  field(22, "Engineering", PHYSICAL),
  field(23, "Environmental Science", PHYSICAL),
  field(24, "Immunology and Microbiology", LIFE),
  field(25, "Materials Science", PHYSICAL),
  field(26, "Mathematics", PHYSICAL),
  field(27, "Medicine", HEALTH),
  field(28, "Neuroscience", LIFE),
  field(29, "Nursing", HEALTH),
  field(30, "Pharmacology, Toxicology and Pharmaceutics", LIFE),
  field(31, "Physics and Astronomy", PHYSICAL),
  field(32, "Psychology", SOCIAL),
  field(33, "Social Sciences", SOCIAL),
  field(34, "Veterinary", HEALTH),
  field(35, "Dentistry", HEALTH),
  field(36, "Health Professions", HEALTH),
];

const BY_ID = new Map(FIELDS.map((one) => [one.fieldId, one]));

export function findField(fieldId: number): Field | undefined {
  return BY_ID.get(fieldId);
}

function field(fieldId: number, name: string, domain: string): Field {
  return { fieldId, name, domain };
}
