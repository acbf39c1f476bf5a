import { z } from 'zod'
import { Id, singleLine, Timestamp } from './common.ts'
import { words } from './details.ts'
import { UptimeState } from './uptime-checks.ts'

/** Letters, digits and single hyphens, as it stands in an address. */
export const StatusSlug = z
  .string()
  .min(4)
  .max(63)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, words.SLUG)

const Title = singleLine(100).refine((title) => title.trim() !== '', 'must not be empty')

export const SaveStatusPage = z.object({
  enabled: z.boolean(),
  slug: StatusSlug.optional().meta({
    description: 'Its address. One that cannot be guessed is made where there is none.'
  }),
  title: Title.optional().meta({ description: 'Needed for the first time.', examples: ['Shop of Ann'] }),
  showDays: z.int().min(1).max(90).optional().meta({ description: 'Days that it shows; 30 for the first time.' })
})
export type SaveStatusPage = z.infer<typeof SaveStatusPage>

export const StatusPage = z
  .object({
    projectId: Id,
    enabled: z.boolean(),
    slug: z.string(),
    title: z.string(),
    showDays: z.int(),
    url: z.string().meta({ description: 'Of the page for people.' }),
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
        uptime: Percent.meta({ description: 'Of the days that are shown, as percent of the time that is known.' }),
        days: z.array(z.object({ day: z.iso.date().meta({ examples: ['2026-01-31'] }), uptime: Percent }))
      })
    ),
    incidents: z
      .array(z.object({ name: z.string(), from: Timestamp, to: Timestamp.nullable(), seconds: z.int() }))
      .meta({ description: 'The newest first, 50 at most.' }),
    showDays: z.int(),
    generatedAt: Timestamp
  })
  .meta({ id: 'PublicStatus' })
export type PublicStatus = z.infer<typeof PublicStatus>
