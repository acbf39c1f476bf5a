import { parse } from 'smol-toml'
import { z } from 'zod'
import { BuildError } from './image-builder.ts'

export interface PythonDependencies {
  title: string
  /** Lines of a generated requirements file; undefined: use the repository's own. */
  requirements: readonly string[] | undefined
  constraints: readonly string[]
  /** The repository is a package with a build system: `pip install .`. */
  installsProject: boolean
}

const text = z.string().optional().catch(undefined)
const list = z.array(z.string()).catch([])
const table = z.record(z.string(), z.unknown()).catch({})

const Pyproject = z.object({
  'build-system': z.unknown().optional(),
  project: z.object({ name: text, dependencies: list, 'requires-python': text }).optional().catch(undefined),
  tool: z
    .object({
      poetry: z.object({ 'package-mode': z.unknown().optional(), dependencies: table }).optional().catch(undefined)
    })
    .optional()
    .catch(undefined)
})

const Pipfile = z.object({
  packages: table,
  requires: z.object({ python_version: text, python_full_version: text }).optional().catch(undefined)
})
const PipfileLock = z.object({ default: table })

export const pythonManifests = ['requirements.txt', 'pyproject.toml', 'poetry.lock', 'uv.lock', 'pdm.lock', 'Pipfile', 'Pipfile.lock', 'setup.py', 'setup.cfg'] // oxfmt-ignore

/** Lock files of other tools become constraints, so that pip alone installs the locked versions. */
export function pythonDependencies(source: ReadonlyMap<string, string>): PythonDependencies | undefined {
  if (source.has('requirements.txt')) {
    return { title: 'requirements.txt', requirements: undefined, constraints: [], installsProject: false }
  }
  const pyproject = source.get('pyproject.toml')
  if (pyproject !== undefined) return fromPyproject(Pyproject.parse(toml(pyproject, 'pyproject.toml')), source)
  const lock = source.get('Pipfile.lock')
  if (lock !== undefined) return simple('Pipfile.lock', PipfileLock.parse(json(lock, 'Pipfile.lock')).default)
  const pipfile = source.get('Pipfile')
  if (pipfile !== undefined) return simple('Pipfile', Pipfile.parse(toml(pipfile, 'Pipfile')).packages)
  if (source.has('setup.py')) return { title: 'setup.py', requirements: [], constraints: [], installsProject: true }
  return undefined
}

/** The version of Python that pyproject.toml or a Pipfile asks for. A file that cannot be parsed asks for none. */
export function pythonRequirement(source: string, file: string): string | undefined {
  let parsed: unknown
  try {
    parsed = parse(source)
  } catch {
    return undefined // Reported where its dependencies are read.
  }
  if (file === 'Pipfile') {
    const requires = Pipfile.safeParse(parsed).data?.requires
    return requires?.python_full_version ?? requires?.python_version
  }
  const manifest = Pyproject.safeParse(parsed).data
  const ofPoetry = manifest?.tool?.poetry?.dependencies.python
  return manifest?.project?.['requires-python'] ?? (typeof ofPoetry === 'string' ? ofPoetry : undefined)
}

function fromPyproject(manifest: z.infer<typeof Pyproject>, source: ReadonlyMap<string, string>): PythonDependencies {
  const lockName = ['poetry.lock', 'uv.lock', 'pdm.lock'].find((name) => source.has(name))
  const constraints = lockName === undefined ? [] : constraintsOf(source.get(lockName)!)
  const poetry = manifest.tool?.poetry
  const poetryNames = Object.entries(poetry?.dependencies ?? {}).filter(([name]) => name !== 'python')
  const declared = manifest.project?.dependencies ?? []
  const isPackage = manifest['build-system'] !== undefined && poetry?.['package-mode'] !== false
  // pip does not understand Poetry's version syntax (^1.2). With a lock file, names suffice; otherwise the project
  // metadata has the versions.
  const fromPoetry =
    lockName === undefined
      ? []
      : poetryNames.filter(([, spec]) => !isOptional(spec)).map(([name, spec]) => name + extrasOf(spec))
  return {
    title: lockName === undefined ? 'pyproject.toml' : `pyproject.toml and ${lockName}`,
    requirements: (declared.length > 0 ? declared : fromPoetry).map(oneLine),
    constraints,
    installsProject: isPackage || (declared.length === 0 && fromPoetry.length === 0 && poetryNames.length > 0)
  }
}

/** Packages locked in two versions (per platform) are left to pip. */
function constraintsOf(lock: string): string[] {
  const versions = new Map<string, Set<string>>()
  for (const { name, version, source } of lockedPackages(lock)) {
    const isFromIndex = !/virtual|editable|directory|git|url|path/.test(source)
    if (!isFromIndex || !isName(name) || !/^[0-9A-Za-z.!+_-]+$/.test(version)) continue
    versions.set(name, (versions.get(name) ?? new Set()).add(version))
  }
  return [...versions].filter(([, found]) => found.size === 1).map(([name, found]) => `${name}==${[...found][0]}`)
}

interface LockedPackage {
  name: string
  version: string
  source: string
}

/** Line-based, because parsing a large lock file as TOML takes seconds. */
function* lockedPackages(lock: string): Generator<LockedPackage> {
  let section = ''
  let found: LockedPackage | undefined
  for (const long of lock.split('\n')) {
    const line = long.slice(0, 1000).trimEnd()
    if (line.startsWith('[')) section = line
    if (line === '[[package]]') {
      if (found) yield found
      found = { name: '', version: '', source: '' }
    } else if (found && section === '[[package]]') {
      const [, key, value = ''] = /^(name|version|source) = (.*)$/.exec(line) ?? []
      if (key === 'name' || key === 'version') found[key] = value.replace(/^"(.*)"$/, '$1')
      else if (key === 'source') found.source += value
    } else if (found && section === '[package.source]' && found.source.length < 1000) found.source += line
  }
  if (found) yield found
}

function simple(title: string, packages: Record<string, unknown>): PythonDependencies {
  const requirements = Object.entries(packages)
    .filter(([name]) => isName(name))
    .map(([name, spec]) => {
      const { version, markers } = typeof spec === 'string' ? { version: spec, markers: undefined } : Spec.parse(spec)
      const wanted = version === undefined || version === '*' ? '' : version
      return oneLine(`${name}${extrasOf(spec)}${wanted}${markers === undefined ? '' : ` ; ${markers}`}`)
    })
  return { title, requirements, constraints: [], installsProject: false }
}

const Spec = z
  .object({ version: text, markers: text, extras: list, optional: z.unknown().optional() })
  .catch({ version: undefined, markers: undefined, extras: [], optional: false })

const extrasOf = (spec: unknown): string => {
  const extras = typeof spec === 'object' && spec !== null ? Spec.parse(spec).extras.filter(isName) : []
  return extras.length === 0 ? '' : `[${extras.join(',')}]`
}

const isOptional = (spec: unknown): boolean =>
  typeof spec === 'object' && spec !== null && Spec.parse(spec).optional === true

const isName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)

// A second line or a leading dash could be a pip option.
const oneLine = (requirement: string): string => requirement.replace(/\s+/g, ' ').trim().replace(/^-+/, '')

function toml(content: string, path: string): unknown {
  try {
    return parse(content)
  } catch (cause) {
    throw new BuildError({ code: 'NOT_TOML', values: { path, problem: firstLine(cause) } }, { cause })
  }
}

function json(content: string, path: string): unknown {
  try {
    return JSON.parse(content)
  } catch (cause) {
    throw new BuildError({ code: 'NOT_JSON', values: { path, problem: firstLine(cause) } }, { cause })
  }
}

const firstLine = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split('\n')[0]!
