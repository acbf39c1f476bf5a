import { messageOf } from '../../text/message-of.ts'
import { z } from 'zod'
import { BuildError } from './image-builder.ts'

const texts = z
  .record(z.string(), z.unknown())
  .catch({})
  .transform((values) => new Map(Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [])))) // oxfmt-ignore

const Schema = z.object({
  require: texts,
  config: z.object({ platform: texts }).optional().catch(undefined)
})

const Lock = z.object({ packages: z.array(z.object({ require: texts })).catch([]), platform: texts })

export type ComposerJson = z.infer<typeof Schema>

/** The parts of a composer.json that detection uses. Members of a wrong type count as absent. */
export const parseComposerJson = (source: string): ComposerJson => parsed(Schema, source, 'composer.json')

/** Modules of PHP that the project and its locked packages need, as `ext-` names them: `gd`, `pdo_pgsql`. */
export function neededModules({ require }: ComposerJson, lock: string | undefined): string[] {
  const locked = lock === undefined ? undefined : parsed(Lock, lock, 'composer.lock')
  const all = [require, ...(locked ? [locked.platform, ...locked.packages.map((one) => one.require)] : [])]
  const names = all.flatMap((requirements) => [...requirements.keys()]).filter((name) => name.startsWith('ext-'))
  return [...new Set(names.map((name) => name.slice('ext-'.length)))]
}

/** The version of PHP that composer.json asks for: the one it resolves packages for, else the range it runs with. */
export function phpRequirement(source: string): string | undefined {
  const { config, require } = parseComposerJson(source)
  return config?.platform.get('php') ?? require.get('php')
}

function parsed<T>(schema: z.ZodType<T>, source: string, path: string): T {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch (cause) {
    throw new BuildError({ code: 'NOT_JSON', values: { path, problem: messageOf(cause) } }, { cause })
  }
  const result = schema.safeParse(value)
  if (!result.success) throw new BuildError({ code: 'NO_JSON_OBJECT', values: { path } })
  return result.data
}
