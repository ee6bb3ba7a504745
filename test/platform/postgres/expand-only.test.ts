import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

const FOLDER = join(import.meta.dirname, "..", "..", "..", "migrations");

/** Up to here releases were not run side by side. */
const LAST_OF_THE_BEGINNINGS = "0005_rate_limit.sql";

/**
 * The statements of a migration that a program of the release before could stumble over while it still runs. What only
 * adds is harmless: tables, columns that may be left out, indexes that refuse no row.
 */
function statementsThatDoNotExpand(sql: string): string[] {
  const statements = sql
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/\$\$.*?\$\$/gs, "$$$$")
    .split(";")
    .map((statement) => statement.replaceAll(/\s+/g, " ").trim().toLowerCase())
    .filter((statement) => statement !== "");
  const made = statements.flatMap((statement) => /^create table (\w+)/.exec(statement)?.[1] ?? []);
  return statements.filter((statement) => {
    const changed = /^(?:alter table|insert into|create unique index \w+ on) (\w+)/.exec(statement)?.[1];
    if (changed !== undefined && made.includes(changed)) return false;
    // A reference to a new table is empty in the rows of the earlier program, and it changes no row of a new table.
    const [, referenced] = OPTIONAL_REFERENCE.exec(statement) ?? TRIGGER.exec(statement) ?? [];
    if (referenced !== undefined && made.includes(referenced)) return false;
    return !HARMLESS.some((pattern) => pattern.test(statement));
  });
}

const OPTIONAL_COLUMN = String.raw`add column \w+ (?!.*\b(?:unique|primary key|check|references)\b)(?:(?!\bnot null\b)[^,]|not null default)+`;

const OPTIONAL_REFERENCE = /^alter table \w+ add column \w+ \w+ references (\w+)(?: on delete cascade)?$/;

const TRIGGER = /^create trigger \w+ after delete on (\w+) /;

const HARMLESS = [
  /^create table \w+/,
  /^create index \w+ on \w+/,
  /^create function /,
  /^comment on /,
  new RegExp(`^alter table \\w+ ${OPTIONAL_COLUMN}(?:, ${OPTIONAL_COLUMN})*$`),
];

describe("a migration", () => {
  const later = readdirSync(FOLDER).filter((file) => file.endsWith(".sql") && file > LAST_OF_THE_BEGINNINGS);

  for (const file of later) {
    it(`only adds, so that the previous release keeps working: ${file}`, () => {
      expect(statementsThatDoNotExpand(readFileSync(join(FOLDER, file), "utf8"))).to.deep.equal([]);
    });
  }

  for (const statement of [
    "drop table checks",
    "alter table checks drop column title",
    "alter table checks rename column title to name",
    "alter table checks rename to queries",
    "alter table checks alter column title type varchar(10)",
    "alter table checks alter column title set not null",
    "alter table checks add column owner text not null",
    "alter table checks add column owner text, add column tenant text not null",
    "alter table checks add column owner text unique",
    "alter table checks add column owner text references documents",
    "create trigger noted after delete on checks for each row execute function note()",
    "alter table checks add constraint short check (length(title) < 10)",
    "create unique index checks_title on checks (title)",
    "update checks set title = ''",
    "truncate checks",
  ]) {
    it(`is refused with: ${statement}`, () => {
      expect(statementsThatDoNotExpand(`-- Up Migration\n${statement};\n`)).to.deep.equal([statement]);
    });
  }

  it("may add optional columns, and change its own tables freely", () => {
    const sql = `create table owners (name text primary key);
      create unique index owners_name on owners (lower(name));
      insert into owners values ('nobody');
      alter table checks add column owned_by text references owners on delete cascade;
      create function note() returns trigger language plpgsql as $$ begin delete from checks; return null; end; $$;
      create trigger noted after delete on owners for each row execute function note();
      alter table checks add column owner text, add column rank integer not null default 0;
      create index checks_owner on checks (owner);`;
    expect(statementsThatDoNotExpand(sql)).to.deep.equal([]);
  });
});
