import { z } from 'zod'
import { Id, singleLine, Timestamp } from './common.ts'
import { words } from './details.ts'
import { UptimeState } from './uptime-checks.ts'

export const StatusSlug = z
  .string()
  .min(4)
  .max(63)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, words.SLUG)

const Title = singleLine(100).refine((title) => title.trim() !== '', 'must not be empty')

export const SaveStatusPage = z.object({
  enabled: z.boolean(),
  slug: StatusSlug.optional().meta({
    description: 'URL path of the page. If there is none yet, one that is hard to guess is generated.'
  }),
  title: Title.optional().meta({ description: 'Required for the first time.', examples: ['Shop of Ann'] }),
  showDays: z.int().min(1).max(90).optional().meta({ description: 'Number of days to show; default 30.' })
})
export type SaveStatusPage = z.infer<typeof SaveStatusPage>

export const StatusPage = z
  .object({
    projectId: Id,
    enabled: z.boolean(),
    slug: z.string(),
    title: z.string(),
    showDays: z.int(),
    url: z.string().meta({ description: 'URL of the public page.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'StatusPage' })
export type StatusPage = z.infer<typeof StatusPage>

const Percent = z.number().nullable()

export const PublicStatus = z
  .object({
    title: z.string(),
    state: UptimeState,
    checks: z.array(
      z.object({
        name: z.string(),
        state: UptimeState,
        uptime: Percent.meta({ description: 'Percentage of the known time within the days shown.' }),
        days: z.array(z.object({ day: z.iso.date().meta({ examples: ['2026-01-31'] }), uptime: Percent }))
      })
    ),
    incidents: z
      .array(z.object({ name: z.string(), from: Timestamp, to: Timestamp.nullable(), seconds: z.int() }))
      .meta({ description: 'Newest first, up to 50.' }),
    showDays: z.int(),
    generatedAt: Timestamp
  })
  .meta({ id: 'PublicStatus' })
export type PublicStatus = z.infer<typeof PublicStatus>
