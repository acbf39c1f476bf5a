import type { RuntimeVersion } from '@panel/contract/detection'
import { nodeRuntime, phpRuntime, pythonRuntime, type Runtime } from '@panel/contract/runtimes'
import semver from 'semver'
import { type BaseImages, type DetectionNote, imageVersions, type PlanInput } from './build-plan.ts'
import { BuildError, phpManifests } from './image-builder.ts'
import { parsePackageJson } from './package-json.ts'
import { phpRequirement } from './composer-json.ts'
import { pythonRequirement } from './python-requirements.ts'

/** What a project asks for, in the words of the place that says so: `lts/*`, `>=20 <23`, `python-3.12.4`. */
interface VersionRequest {
  source: 'SETTING' | 'FILE'
  file: string | null
  wanted: string
}

export interface VersionChoice {
  runtime: RuntimeVersion
  notes: readonly DetectionNote[]
}

type Source = Pick<PlanInput, 'text' | 'runtimeVersion'> & {
  images: Pick<BaseImages, 'node' | 'python' | 'php' | 'only'>
}

export const nodeVersionFiles = ['.nvmrc', '.node-version', '.tool-versions', 'package.json'] as const
export const pythonVersionFiles = ['.python-version', 'runtime.txt', '.tool-versions', 'pyproject.toml', 'Pipfile'] as const // oxfmt-ignore

/**
 * The project's setting, else the first file that names a version; a range takes the newest version in it. Pure. Undefined
 * if an administrator chose an image whose name does not tell its version. Throws BuildError if no version fits.
 */
export function nodeVersion(input: Source, today: Date): VersionChoice | undefined {
  const request = requestOf(input, nodeVersionFiles, {
    '.tool-versions': (text) => toolVersion(text, /^(?:nodejs|node)[ \t]+(\S+)/m),
    'package.json': (text) => parsePackageJson(text).engines.get('node')
  })
  const fitting = (wanted: string) => newestFirst(nodeRuntime.versions.filter((version) => isNode(version, wanted)))
  return choose(nodeRuntime, imageVersions(input.images, 'node', nodeRuntime), request, fitting, today)
}

/** Like `nodeVersion`; a range takes the preferred version if that is in it, because packages follow a new Python late. */
export function pythonVersion(input: Source, today: Date): VersionChoice | undefined {
  const request = requestOf(input, pythonVersionFiles, {
    '.tool-versions': (text) => toolVersion(text, /^python[ \t]+(\S+)/m),
    'runtime.txt': (text) => text.replace(/^python-/i, ''),
    'pyproject.toml': pythonRequirement,
    Pipfile: pythonRequirement
  })
  const fitting = (wanted: string) => preferring(pythonRuntime, (version) => isPython(version, wanted))
  return choose(pythonRuntime, imageVersions(input.images, 'python', pythonRuntime), request, fitting, today)
}

/**
 * Like `pythonVersion`. A version that the server does not have is refused, because a site may break silently with another
 * PHP.
 */
export function phpVersion(input: Source, today: Date): VersionChoice | undefined {
  const request = requestOf(input, phpManifests, {
    '.tool-versions': (text) => toolVersion(text, /^php[ \t]+(\S+)/m),
    'composer.json': phpRequirement,
    'composer.lock': () => undefined
  })
  const fitting = (wanted: string) => preferring(phpRuntime, (version) => isPhp(version, wanted))
  const available = imageVersions(input.images, 'php', phpRuntime)
  if (request !== undefined && available.length > 0) {
    const fits = fitting(request.wanted)
    const values = { language: phpRuntime.name, wanted: request.wanted.slice(0, 60), versions: available.join(', ') }
    if (fits.length > 0 && !fits.some((version) => available.includes(version)))
      throw new BuildError({ code: 'VERSION_NOT_HERE', values })
  }
  return choose(phpRuntime, available, request, fitting, today)
}

/** Newest first, but the preferred version before all. */
function preferring(runtime: Runtime, isFitting: (version: string) => boolean): string[] {
  const found = newestFirst(runtime.versions.filter(isFitting))
  return found.includes(runtime.preferred) ? [runtime.preferred, ...found] : found
}

type Readers = Readonly<Record<string, (text: string, file: string) => string | undefined>>

function requestOf(
  { text, runtimeVersion }: Source,
  files: readonly string[],
  readers: Readers
): VersionRequest | undefined {
  if (runtimeVersion !== undefined) return { source: 'SETTING', file: null, wanted: runtimeVersion }
  for (const file of files) {
    const content = text.get(file)
    const wanted = content === undefined ? undefined : (readers[file] ?? firstLine)(content, file)?.trim().slice(0, 200)
    if (wanted !== undefined && wanted !== '') return { source: 'FILE', file, wanted }
  }
  return undefined
}

function choose(
  runtime: Runtime,
  available: readonly string[],
  request: VersionRequest | undefined,
  fitting: (wanted: string) => readonly string[],
  today: Date
): VersionChoice | undefined {
  if (available.length === 0) return undefined
  const has = (version: string) => available.includes(version)
  const fits = request === undefined ? [runtime.preferred] : fitting(request.wanted)
  if (fits.length === 0) {
    const { file, wanted } = request!
    const values = {
      language: runtime.name,
      wanted: wanted.slice(0, 60),
      file: file ?? '',
      versions: available.join(', ')
    }
    throw new BuildError({ code: 'VERSION_NOT_AVAILABLE', values })
  }
  const version = fits.find(has) ?? available.at(-1)!
  const notes: DetectionNote[] = []
  const values = { language: runtime.name, version }
  if (request !== undefined && !fits.some(has))
    notes.push({ code: 'OTHER_VERSION', values: { ...values, wanted: request.wanted.slice(0, 60) } })
  const end = runtime.endOfLife[version]
  if (end !== undefined && today >= new Date(end))
    notes.push({ code: 'VERSION_AT_END_OF_LIFE', values: { ...values, end } })
  const { source = 'DEFAULT', file = null, wanted = null } = request ?? {}
  return { runtime: { name: runtime.name, version, source, file, wanted }, notes }
}

const newestFirst = (versions: readonly string[]): string[] => versions.toReversed()

const firstLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .find((line) => line !== '') ?? ''

const toolVersion = (text: string, line: RegExp): string | undefined => line.exec(text)?.[1]

/** Names that nvm knows: of the versions with long-term support, and of the newest. */
const nodeNames: Readonly<Record<string, string>> = {
  'lts/*': nodeRuntime.versions.at(-1)!,
  'lts/iron': '20',
  'lts/jod': '22',
  'lts/krypton': '24',
  ...Object.fromEntries(['node', 'stable', 'latest', 'current'].map((name) => [name, nodeRuntime.versions.at(-1)!]))
}

function isNode(version: string, wanted: string): boolean {
  const named = nodeNames[wanted.toLowerCase()]
  return named === undefined ? isIn(`${version}.x`, wanted) : named === version
}

/** As PEP 440 writes them, and Poetry's `^3.11`. */
function isPython(version: string, wanted: string): boolean {
  const parts = wanted.split(',').map((part) => part.trim())
  const excluded = parts.filter((part) => part.startsWith('!=')).map((part) => part.slice(2).trim())
  if (excluded.some((part) => part.replace(/\.\*$/, '') === version)) return false
  const range = parts
    .filter((part) => !part.startsWith('!='))
    .map((part) =>
      part
        .replace(/^~=\s*(\d+\.\d+\.\d+)/, '~$1')
        .replace(/^~=/, '^')
        .replace(/^={2,3}/, '')
        .replace(/\.\*$/, '.x')
    )
    .join(' ')
  return isIn(`${version}.x`, range)
}

/** As Composer writes them: `~8.2` is up to 9, commas and spaces are "and", one or two bars are "or". */
function isPhp(version: string, wanted: string): boolean {
  const range = wanted
    .split(/\s*\|\|?\s*/)
    .map((part) =>
      part
        .replace(/@\w+|-(dev|stable)\b/g, '')
        .replace(/!=\s*[\d.*]+/g, '')
        .replace(/~\s*(\d+\.\d+)(?![.\d])/g, '^$1')
        .replace(/,/g, ' ')
        .replace(/\.\*/g, '.x')
    )
    .join(' || ')
  return isIn(`${version}.x`, range)
}

function isIn(version: string, range: string): boolean {
  return semver.validRange(range) !== null && semver.intersects(version, range)
}
