import { OPENSEARCH_2_JAVA, OPENSEARCH_3_JAVA } from "../stores/java-home.ts";
import { EMBEDDED_RELEASE, type OpenSearchRelease } from "../stores/opensearch-distribution.ts";

/** The releases that the service is tested with: the oldest that it supports, the newest, and some between them. */
export const RELEASES: readonly OpenSearchRelease[] = [
  {
    version: "2.19.3",
    sha512:
      "01171c671d081564bfd05b509d00ba729c54893cde23b8ddb38dcdaf9c315509" +
      "529a9f5cd3c842dd69023eca4680673d14446b4daa5dfe0f5a6bbc372207611b",
    java: OPENSEARCH_2_JAVA,
  },
  {
    version: "3.0.0",
    sha512:
      "f1850a078e11b61b4f7e347b934d83d27029c22e80e22faa766734a27b63cda9" +
      "a60f21bb0a3a63d542d62c6518c983fe408fb8bbc8275cabc9a24f3aab5a87c8",
    java: OPENSEARCH_3_JAVA,
  },
  {
    version: "3.4.0",
    sha512:
      "18cb16a9d251f8e915fbc0ab64b53d2f1ee9299829673c7357446041ae42fe20" +
      "94ab16c899edd944bd39aa49ed3aae799b1ff04084a1220d6c6676734a392117",
    java: OPENSEARCH_3_JAVA,
  },
  {
    version: "3.6.0",
    sha512:
      "b82066a97902879c47e26608848d068c09e74d2128edee2802e622867abd451d" +
      "34a366acc6519d0b40fc97acc89d61c5bb330ab8b2086cf6ffa0f9fe4b9acaa4",
    java: OPENSEARCH_3_JAVA,
  },
  EMBEDDED_RELEASE,
];
