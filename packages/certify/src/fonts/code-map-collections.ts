/**
 * Maps of codes that readers know by name, by the collection of characters that their numbers are of (ISO 32000-2 table 116; the rest are
 * older ones of the same collections).
 */
const NAMES: Record<string, RegExp> = {
  GB1: /^(?:GB(?:-EUC|pc-EUC|K-EUC|Kp-EUC|K2K|T|T-EUC|Tpc-EUC)|UniGB-(?:UCS2|UTF8|UTF16|UTF32))-[HV]$/,
  CNS1: /^(?:B5pc|HKscs-B5|HKdl[ab]-B5|HKgccs-B5|HKm(?:314|471)-B5|ETen-B5|ETenms-B5|ETHK-B5|CNS-EUC|CNS[12]|UniCNS-(?:UCS2|UTF8|UTF16|UTF32))-[HV]$/,
  Japan1:
    /^(?:[HV]|(?:83pv-RKSJ|90(?:ms|msp|pv)-RKSJ|Add|Add-RKSJ|EUC|Ext|Ext-RKSJ|NWP|RKSJ|78|78-EUC|78-RKSJ|78ms-RKSJ|UniJIS-UCS2|UniJIS-UCS2-HW|UniJIS(?:2004|X0213|X02132004|Pro)?-(?:UTF8|UTF16|UTF32|UCS2))-[HV]|Hankaku|Hiragana|Katakana|Roman|WP-Symbol)$/,
  Japan2: /^(?:Hojo|Hojo-EUC|UniHojo-(?:UCS2|UTF8|UTF16|UTF32))-[HV]$/,
  Korea1: /^(?:KSC|KSC-EUC|KSCms-UHC|KSCms-UHC-HW|KSC-Johab|KSCpc-EUC|UniKS-(?:UCS2|UTF8|UTF16|UTF32))-[HV]$/,
  KR: /^UniAKR-(?:UTF8|UTF16|UTF32)-[HV]$/,
}

/** Whether a map that a font names is one of the collection that it names. */
export const isMapOf = (name: string, collection: string): boolean =>
  Object.hasOwn(NAMES, collection) && NAMES[collection]!.test(name)
