import { Notice } from "../shared/notice.tsx";

/** Stands for a comparison with a source whose text is gone. */
export function DeletedSource({ excerpt }: { readonly excerpt: string }) {
  return (
    <Notice kind="warn" title="The source has been deleted from the corpus">
      <p>Its text is no longer available. The report still contains this excerpt:</p>
      <p dir="auto" class="kept">
        {excerpt}
      </p>
    </Notice>
  );
}
