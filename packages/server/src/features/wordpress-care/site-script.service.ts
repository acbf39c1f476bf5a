import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { EngineError } from '../../infra/container-engine/container-engine.ts'
import { oneLine } from '../../text/one-line.ts'
import { siteHostname } from '../domains/hostname.policy.ts'
import { engineOn } from '../nodes/on-machine.service.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { siteScript } from './site-script.render.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'engine' | 'nodeId' | 'nodes'>

type Request =
  | { action: 'state' | 'upgrade-database' | 'core-changes' }
  | { action: 'update'; kind: string; id: string; version: string }
  | { action: 'sign-in'; login: string | null; hash: string; seconds: number }
  | { action: 'set-password'; login: string; password: string }

const Problem = z.enum(['NOT_RUNNING', 'NOT_INSTALLED', 'BROKEN', 'REFUSED', 'NO_USER', 'OLD_IMAGE', 'NO_CHECKSUMS'])
export interface SiteProblem {
  problem: z.infer<typeof Problem>
  text: string
}
export type SiteAnswer<T> = { value: T } | SiteProblem

const Refusal = z.object({ problem: Problem, text: z.string() })
const maxOutputBytes = 2 * 1024 * 1024
const maxText = 500
const ordinaryMs = 20_000

/** Without the prepended file of the image, and without the time limit of pages. The script comes on standard input. */
const command = ['php', '-d', 'auto_prepend_file=', '-d', 'max_execution_time=0']

/**
 * Runs WordPress' own functions in the site's container. The site's code runs with them and may answer anything, so the answer
 * is only a claim about this site.
 */
export async function askSite<T>(
  deps: Deps,
  project: ProjectRow,
  request: Request,
  value: z.ZodType<T>,
  { timeoutMs = ordinaryMs, signal }: { timeoutMs?: number; signal?: AbortSignal | undefined } = {}
): Promise<SiteAnswer<T>> {
  if (project.status !== 'ACTIVE' || project.containerId === null || project.asleepSince !== null)
    return { problem: 'NOT_RUNNING', text: '' }
  const marker = `panel-${randomBytes(16).toString('hex')}:`
  const input = siteScript(marker, { ...request, hostname: siteHostname(deps.config, project) })
  const stopping = signal === undefined ? {} : { signal }
  const engine = await engineOn(deps, project.nodeId)
  const found = await engine
    .execute(project.containerId, { command, input, timeoutMs, maxOutputBytes, ...stopping })
    .catch(problemOf)
  if ('problem' in found) return found
  return readAnswer(found.stdout, marker, value) ?? { problem: 'BROKEN', text: oneLine(found.stderr, maxText) }
}

function problemOf(error: unknown): SiteProblem {
  if (error instanceof EngineError && [404, 409].includes(error.status)) return { problem: 'NOT_RUNNING', text: '' }
  if (error instanceof EngineError || !(error instanceof AdapterError)) throw error
  if (error.kind !== 'container-engine-refused') throw error
  return { problem: 'BROKEN', text: error.sentence }
}

function readAnswer<T>(stdout: string, marker: string, value: z.ZodType<T>): SiteAnswer<T> | undefined {
  const start = stdout.lastIndexOf(marker)
  if (start === -1) return undefined
  const answer = parse(stdout.slice(start + marker.length))
  const known = z.object({ value }).safeParse(answer)
  if (known.success) return { value: known.data.value }
  const refusal = Refusal.safeParse(answer)
  return refusal.success ? { ...refusal.data, text: oneLine(refusal.data.text, maxText) } : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** For requests of a person, who gets the problem as an error. */
export function valueOf<T>(answer: SiteAnswer<T>): T {
  if ('value' in answer) return answer.value
  throw new AppError(answer.problem === 'NO_USER' ? 'NOT_FOUND' : 'CONFLICT', inWords(answer))
}

function inWords({ problem, text }: SiteProblem): string {
  switch (problem) {
    case 'NOT_RUNNING':
      return 'The site is not running. Start or open it first.'
    case 'NOT_INSTALLED':
      return 'WordPress is not installed yet. Open the site and finish its installation.'
    case 'NO_USER':
      return 'WordPress user not found'
    case 'OLD_IMAGE':
      return 'The site runs on an image of an older version. Deploy it once.'
    case 'NO_CHECKSUMS':
      return `The checksums of WordPress ${text} are not on this server, and wordpress.org could not be reached.`
    case 'REFUSED':
      return `WordPress refused: ${text}`
    case 'BROKEN':
      return text === '' ? 'WordPress did not answer' : `WordPress ended in an error: ${text}`
  }
}
