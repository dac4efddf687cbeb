import { z } from 'zod'

// Before the first schema is made: zod would otherwise try `new Function`, which the content security policy reports.
z.config({ jitless: true })
