// Before the first schema is made: zod would otherwise try `new Function`, which the content security policy reports. zod 4
// reads its settings from here, so they are made without loading it: screens without a session do without it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
