import { z } from "zod";

/** Where the authors of a work belong, in the order of the authors: what is read of OpenAlex's `authorships`. */
export const Authorships = z
  .array(
    z.object({
      institutions: z
        .array(
          z.object({
            ror: z.string().nullish(),
            display_name: z.string().nullish(),
            country_code: z.string().nullish(),
          }),
        )
        .nullish(),
    }),
  )
  .nullish();

/** What is read of OpenAlex's `primary_topic`. */
export const PrimaryTopic = z
  .object({ field: z.object({ id: z.union([z.string(), z.number()]) }).nullish() })
  .nullish();
