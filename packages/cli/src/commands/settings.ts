import { type Schema, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { UsageError } from '../context.ts'
import { projectOf } from '../projects.ts'
import { table } from '../table.ts'

type Settings = Schema<'UpdateProject'>

const readers = {
  source: (text: string) => (text === '' ? 'GIT' : text.toUpperCase()),
  rootDirectory: asText,
  dockerfilePath: asText,
  dockerContext: asText,
  dockerTarget: asText,
  installCmd: asText,
  buildCmd: asText,
  outputDirectory: asText,
  startCmd: asText,
  releaseCmd: asText,
  image: asText,
  imageAutoDeploy: (text: string) => text === 'true',
  runtimeVersion: asText,
  port: (text: string) => (text === '' ? null : Number(text)),
  instances: (text: string) => (text === '' ? 1 : Number(text)),
  stickySessions: (text: string) => text === 'true',
  restartWhenHung: (text: string) => text !== 'false',
  reachable: (text: string) => text === 'true',
  keepsFiles: (text: string) => text !== 'false',
  machineLabels: (text: string) => text.split(',').filter((label) => label !== ''),
  size: asSize,
  health: asHealth,
  sleepAfterMinutes: (text: string) => (text === '' ? null : Number(text)),
  pageCache: (text: string) => text === 'true'
}
type Name = keyof typeof readers

const presets: Readonly<Record<string, Schema<'ContainerSize'>>> = {
  small: { memoryMb: 256, cpus: 0.5, pids: 256, diskMb: null },
  medium: { memoryMb: 512, cpus: 1, pids: 256, diskMb: null },
  large: { memoryMb: 1024, cpus: 2, pids: 512, diskMb: null },
  xlarge: { memoryMb: 2048, cpus: 4, pids: 1024, diskMb: null }
}

/** A preset, or `<memory in MB>,<CPU cores>[,<processes>[,<disk in MB>]]`. */
function asSize(text: string): Schema<'ContainerSize'> | null {
  if (text === '') return null
  const preset = Object.hasOwn(presets, text) ? presets[text] : undefined
  if (preset) return preset
  const [memoryMb, cpus, pids = 256, diskMb = null] = text.split(',').map(Number)
  if (memoryMb === undefined || cpus === undefined || [memoryMb, cpus, pids, diskMb].some(Number.isNaN))
    throw new UsageError(
      `Write size=${Object.keys(presets).join('|')}, or size=<MB>,<CPUs>[,<processes>[,<disk MB>]] such as size=768,1.5`
    )
  return { memoryMb, cpus, pids, diskMb }
}

/** `port`, or a path and the expected status: `/health`, `/health,204`. */
function asHealth(text: string): Settings['health'] {
  if (text === '') return null
  if (text === 'port') return { path: null }
  const [, path, status] = /^(\/[^,]*)(?:,(\d{3}))?$/.exec(text) ?? []
  if (path === undefined)
    throw new UsageError('Write health=<path>[,<status>] such as health=/health,204, or health=port')
  return { path, ...(status !== undefined && { status: Number(status) }) }
}

const textOfHealth = ({ path, status }: Schema<'HealthCheck'>) =>
  path === null ? 'port' : [path, ...(status == null ? [] : [status])].join(',')

const textOfSize = ({ memoryMb, cpus, pids, diskMb }: Schema<'ContainerSize'>) =>
  [memoryMb, cpus, pids, ...(diskMb === null ? [] : [diskMb])].join(',')

const buildArg = 'buildArgs.'

function asText(text: string): string | null {
  return text === '' ? null : text
}

/** Reads `name=value` words. An empty value goes back to the default; `buildArgs.<NAME>=` removes a build argument. */
export function readSettings(words: readonly string[], before: Pick<Schema<'Project'>, 'buildArgs'>): Settings {
  const settings: Record<string, unknown> = {}
  const args = { ...before.buildArgs }
  for (const word of words) {
    const [, name = '', value = ''] = /^([^=]+)=([^]*)$/.exec(word) ?? []
    if (name.startsWith(buildArg)) {
      const key = name.slice(buildArg.length)
      if (value === '') delete args[key]
      else args[key] = value
      settings.buildArgs = args
    } else if (Object.hasOwn(readers, name)) settings[name] = readers[name as Name](value)
    else
      throw new UsageError(
        `Write <name>=<value> with one of ${[...Object.keys(readers), `${buildArg}<NAME>`].join(', ')}`
      )
  }
  return settings as Settings
}

export const settings: Command = {
  name: 'settings',
  about: 'show how a project is built, released and sized, or change it; an empty value resets',
  args: '[project] [name=value…]',
  example: 'settings shop rootDirectory=apps/web port=3000',
  async run(call) {
    const { client, args: words, print, next } = call
    const before = await projectOf(call)
    const body = readSettings(words, before)
    const params = { path: { id: before.id } }
    const project = words.length === 0 ? before : await unwrap(client.PUT('/api/projects/{id}', { params, body }))
    const values = Object.fromEntries(Object.keys(readers).map((name) => [name, project[name as Name]]))
    const rows = [
      ...Object.entries(values),
      ...Object.entries(project.buildArgs ?? {}).map(([name, value]) => [`${buildArg}${name}`, value])
    ].map(([name, value]) => [String(name), textOf(value)])
    print({ ...values, buildArgs: project.buildArgs }, table(['SETTING', 'VALUE'], rows))
    next(words.length === 0 ? `settings ${project.name} <name>=<value>` : `deploy ${project.name}`)
  }
}

type Value = string | number | boolean | string[] | Schema<'ContainerSize'> | Schema<'HealthCheck'> | null | undefined

function textOf(value: Value): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  if (Array.isArray(value)) return value.join(',')
  return 'path' in value ? textOfHealth(value) : textOfSize(value)
}
