/** Folder of what pdf.js loads by itself, with a slash at its end; the build fills it in. */
declare const PDF_RESOURCES: string

/** The part of the Trusted Types API that is used (W3C working draft); some browsers lack it. */
declare const trustedTypes:
  | {
      createPolicy(
        name: string,
        rules: { createScriptURL(address: string): string },
      ): { createScriptURL(address: string): unknown }
    }
  | undefined
