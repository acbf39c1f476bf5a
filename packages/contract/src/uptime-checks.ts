import { z } from 'zod'
import { Id, pageQuery, Pagination, singleLine, Timestamp } from './common.ts'
import { words } from './details.ts'

export const uptimeStates = ['UNKNOWN', 'UP', 'DOWN', 'PAUSED'] as const
export const UptimeState = z.enum(uptimeStates).meta({
  description:
    'UNKNOWN: not run yet, or nothing is known of the site. UP. DOWN: more runs have failed than `retries` forgives. PAUSED.'
})
export type UptimeState = z.infer<typeof UptimeState>

/** Why a run did not pass; the last two: why it tells nothing of the site. */
export const uptimeReasons = [
  'CONNECTION_LOST',
  'TIMEOUT',
  'STATUS',
  'TEXT_MISSING',
  'TEXT_PRESENT',
  'TLS_NAME',
  'TLS_EXPIRED',
  'TLS_FAILED',
  'PROXY_AWAY',
  'CHECKER_DELAYED'
] as const
export const UptimeReason = z.enum(uptimeReasons)
export type UptimeReason = z.infer<typeof UptimeReason>

/** Why a check rests. */
export const uptimePauses = ['OWNER', 'PROJECT_STOPPED', 'NOT_DEPLOYED', 'ACCOUNT_SUSPENDED', 'HOST_NOT_OWN'] as const
export const UptimePause = z.enum(uptimePauses)
export type UptimePause = z.infer<typeof UptimePause>

export const uptimeProtocols = ['http', 'https'] as const
export const uptimeMethods = ['GET', 'HEAD'] as const
export const uptimeTextModes = ['present', 'absent'] as const
export const UptimeProtocol = z.enum(uptimeProtocols)
export type UptimeProtocol = z.infer<typeof UptimeProtocol>
export const UptimeMethod = z.enum(uptimeMethods)
export type UptimeMethod = z.infer<typeof UptimeMethod>
export const UptimeTextMode = z.enum(uptimeTextModes)
export type UptimeTextMode = z.infer<typeof UptimeTextMode>

const statusPart = /^([1-5]\d\d)(?:-([1-5]\d\d))?$/

/** `200-399,401` as ranges; undefined where it is none. */
export function parseStatusSet(text: string): [from: number, to: number][] | undefined {
  const ranges: [number, number][] = []
  for (const part of text.split(',')) {
    const found = statusPart.exec(part.trim())
    if (!found) return undefined
    const from = Number(found[1])
    const to = Number(found[2] ?? found[1])
    if (to < from) return undefined
    ranges.push([from, to])
  }
  return ranges
}

const Name = singleLine(100)
  .refine((name) => name.trim() !== '', 'must not be empty')
  .meta({ description: 'What it is called, also on a public status page.', examples: ['Shop'] })
const Hostname = z
  .string()
  .toLowerCase()
  .pipe(z.hostname().max(253))
  .meta({
    description:
      'The automatic host name of the project, a verified domain that leads to it, or a name one label below a wildcard that does; no wildcard itself.',
    examples: ['shop.example.com']
  })
const Path = z
  .string()
  .max(1024)
  .regex(/^\/[\x21-\x22\x24-\x7e]*$/, words.UPTIME_PATH)
  .meta({ description: 'With a query, as it goes over the wire.', examples: ['/health'] })
const StatusSet = singleLine(100)
  .refine((text) => parseStatusSet(text) !== undefined, words.STATUS_SET)
  .meta({ description: 'The answers that are expected. Redirects are not followed: they count by their own code.' })
const Text = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), words.WELL_FORMED)
  .meta({ description: 'Looked for as it stands, in the first 64 KiB of the body.' })

const settings = {
  name: Name,
  hostname: Hostname,
  protocol: UptimeProtocol,
  path: Path,
  method: UptimeMethod,
  expectedStatus: StatusSet,
  text: Text.nullable(),
  textMode: UptimeTextMode.meta({ description: 'Whether the text must be there, or must not.' }),
  intervalMinutes: z.int().min(1).max(60),
  timeoutSeconds: z.int().min(1).max(20),
  retries: z
    .int()
    .min(0)
    .max(5)
    .meta({
      description:
        'Failed runs that are forgiven. It is DOWN when `retries + 1` of the last `2 × retries + 1` runs have failed, the newest among them; while it may be so, runs follow ' +
        'each other by 30 seconds. UP again after two runs in a row that pass (one where retries is 0).'
    }),
  paused: z.boolean(),
  onStatusPage: z.boolean().meta({ description: 'Whether the public status page of the project has it.' })
}

const textNeedsBody = {
  path: ['text'],
  error: words.HEAD_HAS_NO_TEXT
}

export const CreateUptimeCheck = z
  .object({
    name: settings.name,
    hostname: settings.hostname,
    protocol: settings.protocol.optional().meta({
      description: 'https where a certificate is served for the name, http otherwise.'
    }),
    path: settings.path.default('/'),
    method: settings.method.default('GET'),
    expectedStatus: settings.expectedStatus.default('200-399'),
    text: settings.text.default(null),
    textMode: settings.textMode.default('present'),
    intervalMinutes: settings.intervalMinutes.default(5),
    timeoutSeconds: settings.timeoutSeconds.default(10),
    retries: settings.retries.default(2),
    paused: settings.paused.default(false),
    onStatusPage: settings.onStatusPage.default(true)
  })
  .refine(({ method, text }) => method === 'GET' || text === null, textNeedsBody)
export type CreateUptimeCheck = z.infer<typeof CreateUptimeCheck>

export const UpdateUptimeCheck = z.object(settings).partial()
export type UpdateUptimeCheck = z.infer<typeof UpdateUptimeCheck>

const Percent = z
  .number()
  .nullable()
  .meta({ description: 'Percent of the time that is known; null where nothing is.', examples: [99.95] })

export const UptimeFigures = z
  .object({ '24h': Percent, '7d': Percent, '30d': Percent, '90d': Percent })
  .meta({ id: 'UptimeFigures' })
export type UptimeFigures = z.infer<typeof UptimeFigures>

export const UptimeCheck = z
  .object({
    id: Id,
    projectId: Id,
    ...settings,
    hostname: z.string(),
    path: z.string(),
    state: UptimeState.meta({
      description: 'UNKNOWN: not run yet, or its last runs told nothing of the site, or are long ago.'
    }),
    pausedBecause: UptimePause.nullable(),
    stateSince: Timestamp,
    lastRunAt: Timestamp.nullable(),
    lastStatus: z.int().nullable().meta({ description: 'The HTTP status of the last run.' }),
    lastReason: UptimeReason.nullable().meta({ description: 'Why the last run did not pass.' }),
    lastMs: z.int().nullable(),
    tlsDaysLeft: z.int().nullable().meta({ description: 'Of the certificate that was served to the last run.' }),
    uptime: UptimeFigures,
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'UptimeCheck' })
export type UptimeCheck = z.infer<typeof UptimeCheck>

export const UptimeCheckQuery = z.object(pageQuery(20, 50))
export type UptimeCheckQuery = z.infer<typeof UptimeCheckQuery>

export const UptimeCheckList = z
  .object({
    uptimeChecks: z.array(UptimeCheck),
    summary: z.object({
      state: UptimeState.meta({ description: 'The worst of the checks that are not paused.' }),
      up: z.int(),
      down: z.int(),
      unknown: z.int(),
      paused: z.int()
    }),
    pagination: Pagination
  })
  .meta({ id: 'UptimeCheckList' })
export type UptimeCheckList = z.infer<typeof UptimeCheckList>

export const uptimeRanges = ['24h', '7d', '30d', '90d'] as const
export const UptimeRange = z.enum(uptimeRanges)
export type UptimeRange = z.infer<typeof UptimeRange>
export const UptimeResultsQuery = z.object({
  range: UptimeRange.default('24h').meta({ description: 'Up to now.' })
})

const UptimePoint = z.object({
  from: Timestamp,
  uptime: Percent,
  upSeconds: z.int(),
  downSeconds: z.int(),
  averageMs: z.int().nullable().meta({ description: 'Of the runs that got an answer.' }),
  maxMs: z.int().nullable()
})
export type UptimePoint = z.infer<typeof UptimePoint>

export const UptimeOutcome = z.enum(['up', 'down', 'unknown'])
export type UptimeOutcome = z.infer<typeof UptimeOutcome>

const UptimeRun = z.object({
  at: Timestamp,
  outcome: UptimeOutcome,
  status: z.int().nullable(),
  ms: z.int().nullable(),
  reason: UptimeReason.nullable(),
  tlsDaysLeft: z.int().nullable()
})

export const UptimeResults = z
  .object({
    checkId: Id,
    range: UptimeRange,
    uptime: Percent,
    upSeconds: z.int(),
    downSeconds: z.int(),
    unknownSeconds: z.int().meta({
      description:
        'Of the range since the check was made: it was paused, or the panel or its proxy was unavailable. Not counted in `uptime`.'
    }),
    points: z.array(UptimePoint).meta({ description: 'By hour for 24h and 7d, else by day, in UTC.' }),
    latest: z.array(UptimeRun).meta({ description: 'The last runs that are kept, the newest first, 100 at most.' })
  })
  .meta({ id: 'UptimeResults' })
export type UptimeResults = z.infer<typeof UptimeResults>

export const UptimeIncident = z
  .object({
    id: Id,
    from: Timestamp.meta({ description: 'When the first of the runs failed that it was found by.' }),
    to: Timestamp.nullable(),
    seconds: z.int(),
    reason: UptimeReason,
    status: z.int().nullable()
  })
  .meta({ id: 'UptimeIncident' })
export type UptimeIncident = z.infer<typeof UptimeIncident>
export const UptimeIncidentQuery = z.object(pageQuery(20, 100))
export const UptimeIncidentList = z
  .object({ incidents: z.array(UptimeIncident), pagination: Pagination })
  .meta({ id: 'UptimeIncidentList' })
export type UptimeIncidentList = z.infer<typeof UptimeIncidentList>
