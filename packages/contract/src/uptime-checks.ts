import { z } from 'zod'
import { Id, pageQuery, Pagination, singleLine, Timestamp } from './common.ts'
import { words } from './details.ts'

export const uptimeStates = ['UNKNOWN', 'UP', 'DOWN', 'PAUSED'] as const
export const UptimeState = z.enum(uptimeStates).meta({
  description: 'UNKNOWN: not run yet, or inconclusive. UP. DOWN: more runs failed than `retries` allows. PAUSED.'
})
export type UptimeState = z.infer<typeof UptimeState>

/** Why a run did not pass; with the last two it is inconclusive. */
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

export const uptimePauses = [
  'OWNER',
  'PROJECT_STOPPED',
  'NOT_DEPLOYED',
  'ACCOUNT_SUSPENDED',
  'HOST_NOT_OWN',
  'PROJECT_ASLEEP'
] as const
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
  .meta({ description: 'Display name, also on a public status page.', examples: ['Shop'] })
const Hostname = z
  .string()
  .toLowerCase()
  .pipe(z.hostname().max(253))
  .meta({
    description:
      'The automatic hostname of the project, a verified domain that points to it, or a name one label below such a wildcard; not a ' +
      'wildcard itself.',
    examples: ['shop.example.com']
  })
const Path = z
  .string()
  .max(1024)
  .regex(/^\/[\x21-\x22\x24-\x7e]*$/, words.UPTIME_PATH)
  .meta({ description: 'Path with query, percent-encoded.', examples: ['/health'] })
const StatusSet = singleLine(100)
  .refine((text) => parseStatusSet(text) !== undefined, words.STATUS_SET)
  .meta({ description: 'Expected status codes. Redirects are not followed: their own code counts.' })
const Text = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), words.WELL_FORMED)
  .meta({ description: 'Searched literally in the first 64 KiB of the body.' })

const settings = {
  name: Name,
  hostname: Hostname,
  protocol: UptimeProtocol,
  path: Path,
  method: UptimeMethod,
  expectedStatus: StatusSet,
  text: Text.nullable(),
  textMode: UptimeTextMode.meta({ description: 'Whether the text must be present or absent.' }),
  intervalMinutes: z.int().min(1).max(60),
  timeoutSeconds: z.int().min(1).max(20),
  retries: z
    .int()
    .min(0)
    .max(5)
    .meta({
      description:
        'Number of failed runs to tolerate. The check is DOWN if `retries + 1` of the last `2 × retries + 1` runs failed, including the ' +
        'latest; while this is undecided, it runs every 30 seconds. It is UP again after two successful runs in a row (one if retries is ' +
        '0).'
    }),
  paused: z.boolean(),
  onStatusPage: z.boolean().meta({ description: 'Whether to show the check on the public status page of the project.' })
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
      description: 'Default: https if the name has a certificate, else http.'
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
  .meta({ description: 'Percentage of the known time; null if none is known.', examples: [99.95] })

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
      description: 'UNKNOWN: not run yet, or the last runs were inconclusive or long ago.'
    }),
    pausedBecause: UptimePause.nullable(),
    stateSince: Timestamp,
    lastRunAt: Timestamp.nullable(),
    lastStatus: z.int().nullable().meta({ description: 'HTTP status of the last run.' }),
    lastReason: UptimeReason.nullable().meta({ description: 'Why the last run did not pass.' }),
    lastMs: z.int().nullable(),
    tlsDaysLeft: z.int().nullable().meta({ description: 'Days until the certificate seen by the last run expires.' }),
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
      state: UptimeState.meta({ description: 'The worst state of the checks that are not paused.' }),
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
  range: UptimeRange.default('24h').meta({ description: 'Ends now.' })
})

const UptimePoint = z.object({
  from: Timestamp,
  uptime: Percent,
  upSeconds: z.int(),
  downSeconds: z.int(),
  averageMs: z.int().nullable().meta({ description: 'Mean of the runs that got a response.' }),
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
        'Seconds since the check was created in which it was paused, or the panel or its proxy was down. Not counted in `uptime`.'
    }),
    points: z.array(UptimePoint).meta({ description: 'Per hour for 24h and 7d, else per day, in UTC.' }),
    latest: z.array(UptimeRun).meta({ description: 'Latest kept runs, newest first, up to 100.' })
  })
  .meta({ id: 'UptimeResults' })
export type UptimeResults = z.infer<typeof UptimeResults>

export const UptimeIncident = z
  .object({
    id: Id,
    from: Timestamp.meta({ description: 'Time of the first failed run.' }),
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
