import { age, moment, wholeMoment } from "../wording/moments.ts";

/** A time; the whole of it, with its zone, when it is pointed at. */
export function Moment({ at, as = "moment" }: { readonly at: string; readonly as?: "moment" | "age" }) {
  return (
    <time dateTime={at} title={wholeMoment(at)}>
      {as === "age" ? age(at, Date.now()) : moment(at)}
    </time>
  );
}
