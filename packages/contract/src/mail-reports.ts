import { z } from 'zod'
import { Id, pageQuery, Pagination, Timestamp } from './common.ts'

const Day = z.iso.date().meta({ description: 'In UTC.', examples: ['2026-01-31'] })

export const DmarcResult = z.enum(['pass', 'fail'])
export type DmarcResult = z.infer<typeof DmarcResult>
export const DmarcDisposition = z.enum(['none', 'quarantine', 'reject'])
export type DmarcDisposition = z.infer<typeof DmarcDisposition>

export const DmarcQuery = z.object({
  ...pageQuery(50, 200),
  from: z.iso.date().optional().meta({ description: 'First day; default 30 days before the last.' }),
  to: z.iso.date().optional().meta({ description: 'Last day; default today.' }),
  result: DmarcResult.optional().meta({
    description: 'pass: what passed DMARC, by its signature or by its sender. fail: the rest.'
  })
})
export type DmarcQuery = z.infer<typeof DmarcQuery>

/** What one receiver did on one day with mail from one address. */
export const DmarcSource = z
  .object({
    day: Day,
    sourceIp: z
      .string()
      .nullable()
      .meta({
        description: 'Where the mail came from; null of many that one report names and that are added up here.',
        examples: ['198.51.100.7']
      }),
    messages: z.int().meta({ examples: [12] }),
    passes: z.boolean().meta({ description: 'Passed DMARC: `dkim` or `spf` did.' }),
    dkim: DmarcResult.meta({ description: 'Signed by the domain in its header.' }),
    spf: DmarcResult.meta({ description: 'SPF passed for the domain in the From header.' }),
    disposition: DmarcDisposition.meta({ description: 'What the receiver did with it.' }),
    reporter: z.string().meta({ description: 'As it calls itself.', examples: ['google.com'] }),
    reportId: Id.meta({ description: 'Of the report here; the same for all of its sources.' }),
    headerFrom: z
      .string()
      .nullable()
      .meta({ examples: ['example.com'] }),
    dkimDomain: z.string().nullable().meta({ description: 'That signed it, whether aligned or not.' }),
    spfDomain: z.string().nullable().meta({ description: 'Of the sender of the envelope.' })
  })
  .meta({ id: 'DmarcSource' })
export type DmarcSource = z.infer<typeof DmarcSource>

export const DmarcSummary = z
  .object({
    domainId: Id,
    domain: z.string(),
    reportAddress: z.string().meta({
      description: 'Reports that arrive there are read.',
      examples: ['postmaster@example.com']
    }),
    from: Day,
    to: Day,
    totals: z.object({
      reports: z.int(),
      messages: z.int(),
      passing: z.int().meta({ description: 'Of the messages.' }),
      failing: z.int()
    }),
    lastReportAt: Timestamp.nullable().meta({ description: 'When one arrived last; null where none is kept.' }),
    sources: z.array(DmarcSource).meta({ description: 'The last day first, and of a day the most messages.' }),
    pagination: Pagination
  })
  .meta({ id: 'DmarcSummary' })
export type DmarcSummary = z.infer<typeof DmarcSummary>
