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
    description: 'pass: passed DMARC by DKIM or SPF. fail: did not.'
  })
})
export type DmarcQuery = z.infer<typeof DmarcQuery>

export const DmarcSource = z
  .object({
    day: Day,
    sourceIp: z
      .string()
      .nullable()
      .meta({
        description: 'Source of the mail; null if a report contains so many that they were combined.',
        examples: ['198.51.100.7']
      }),
    messages: z.int().meta({ examples: [12] }),
    passes: z.boolean().meta({ description: 'Passed DMARC: `dkim` or `spf` passed.' }),
    dkim: DmarcResult.meta({ description: 'Signed by the domain in its From header (aligned).' }),
    spf: DmarcResult.meta({
      description: 'Sent from an address that may send for the domain in its From header (aligned).'
    }),
    disposition: DmarcDisposition.meta({ description: 'What the receiver did with it.' }),
    reporter: z.string().meta({ description: 'Name of the reporting organization.', examples: ['google.com'] }),
    reportId: Id.meta({ description: 'Id of the report on this server; the same for all of its sources.' }),
    headerFrom: z
      .string()
      .nullable()
      .meta({ examples: ['example.com'] }),
    dkimDomain: z.string().nullable().meta({ description: 'The signing domain, aligned or not.' }),
    spfDomain: z.string().nullable().meta({ description: 'Domain of the envelope sender.' })
  })
  .meta({ id: 'DmarcSource' })
export type DmarcSource = z.infer<typeof DmarcSource>

export const DmarcSummary = z
  .object({
    domainId: Id,
    domain: z.string(),
    reportAddress: z.string().meta({
      description: 'Reports sent to this address are processed.',
      examples: ['postmaster@example.com']
    }),
    from: Day,
    to: Day,
    totals: z.object({
      reports: z.int(),
      messages: z.int(),
      passing: z.int().meta({ description: 'Number of messages.' }),
      failing: z.int()
    }),
    lastReportAt: Timestamp.nullable().meta({ description: 'When the last report arrived; null if none is kept.' }),
    sources: z.array(DmarcSource).meta({ description: 'Latest day first, then by number of messages.' }),
    pagination: Pagination
  })
  .meta({ id: 'DmarcSummary' })
export type DmarcSummary = z.infer<typeof DmarcSummary>
