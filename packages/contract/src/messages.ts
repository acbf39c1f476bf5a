import { z } from 'zod'
import { describe, sentenceOf } from './details.ts'

/** Replaces zod's default messages, which address developers, with messages for people who fill in a form. */
const messageOf = (issue: z.core.$ZodRawIssue): string => sentenceOf(describe(issue))

z.config({ localeError: messageOf })
