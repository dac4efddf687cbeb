import { z } from 'zod'
import { route } from './route.ts'

export const showApiDocument = route({
  method: 'GET',
  path: '/openapi.json',
  summary: 'This document: every call, in OpenAPI 3.1.',
  access: 'public',
  response: z.looseObject({ openapi: z.string() }),
  errors: [],
})
