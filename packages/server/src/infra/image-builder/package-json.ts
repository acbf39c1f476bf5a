import { messageOf } from '../../text/message-of.ts'
import { z } from 'zod'
import { BuildError } from './image-builder.ts'

const texts = z
  .record(z.string(), z.unknown())
  .catch({})
  .transform((values) => {
    const entries = Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    return new Map(entries)
  })

const text = z.string().optional().catch(undefined)

const Schema = z.object({
  name: text,
  main: text,
  packageManager: text,
  scripts: texts,
  dependencies: texts,
  devDependencies: texts,
  optionalDependencies: texts,
  engines: texts,
  workspaces: z.unknown().optional(),
  pnpm: z.object({ patchedDependencies: z.unknown().optional() }).optional().catch(undefined)
})

export type PackageJson = z.infer<typeof Schema>

/** The parts of a package.json that detection uses. Members of a wrong type count as absent. */
export function parsePackageJson(source: string, path = 'package.json'): PackageJson {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch (cause) {
    throw new BuildError({ code: 'NOT_JSON', values: { path, problem: messageOf(cause) } }, { cause })
  }
  const parsed = Schema.safeParse(value)
  if (!parsed.success) throw new BuildError({ code: 'NO_JSON_OBJECT', values: { path } })
  return parsed.data
}

export const scriptOf = (manifest: PackageJson | undefined, name: string): string | undefined =>
  manifest?.scripts.get(name)?.trim() || undefined
