import { accountMark, cacheId } from '../container-engine/buildkit-mounts.ts'
import { type Instruction, problemAt, shown, takeFlags } from './dockerfile-scan.ts'

/** A secret that a step reads: a variable of the project, or all of them. */
export interface SecretUse {
  id: string
  line: number
}

export const allVariables = 'env'

interface MountRules {
  account: number | undefined
  /** Checks a stage or image. */
  source: (name: string) => string
  addSecret: (use: SecretUse) => void
}

const aliases: Readonly<Record<string, string>> = { src: 'source', dst: 'target', destination: 'target', ro: 'readonly', rw: 'readwrite' } // oxfmt-ignore

const optionsOf: Readonly<Record<string, readonly string[]>> = {
  bind: ['type', 'target', 'source', 'from', 'readonly', 'readwrite'],
  cache: ['type', 'target', 'id', 'sharing', 'from', 'source', 'mode', 'uid', 'gid', 'readonly'],
  secret: ['type', 'target', 'id', 'required', 'mode', 'uid', 'gid'],
  tmpfs: ['type', 'target', 'size']
}

const withoutValue = ['readonly', 'readwrite', 'required']

/** RUN for BuildKit: caches of the account only, stages and registry images only, and variables of the project as secrets. */
export function guardRunOptions(instruction: Instruction, rules: MountRules): string {
  const { line } = instruction
  const { flags, rest } = takeFlags(instruction)
  const options = flags.map(({ name, value = '' }) => {
    if (name === 'mount') return `--mount=${guardMount(value, line, rules)}`
    if (name === 'network' && (value === 'none' || value === 'default')) return `--network=${value}`
    throw problemAt(line, `has RUN with the option ${shown(`--${name}=${value}`)}, which is not allowed; remove it`)
  })
  return ['RUN', accountMark.mount(rules.account), ...options, rest].join(' ')
}

function guardMount(text: string, line: number, rules: MountRules): string {
  const options = readOptions(text, line)
  const type = options.get('type') ?? 'bind'
  if (type === 'ssh')
    throw problemAt(
      line,
      'has RUN --mount=type=ssh, but no SSH key is passed to builds; add the key as a variable of the project and use --mount=type=secret'
    )
  const allowed = Object.hasOwn(optionsOf, type) ? optionsOf[type]! : undefined
  if (allowed === undefined) throw problemAt(line, `has a mount of the unknown type ${shown(type)}`)
  for (const name of options.keys())
    if (!allowed.includes(name)) throw problemAt(line, `has ${shown(name)} in a mount of type ${type}; remove it`)
  const from = options.get('from')
  if (from !== undefined) options.set('from', guardFrom(from, line, rules))
  const target = options.get('target')
  if (type === 'secret') options.set('id', secretOf(options.get('id') ?? target?.split('/').at(-1), line, rules))
  if (type === 'cache') {
    const name = options.get('id') ?? target
    if (name === undefined) throw problemAt(line, 'has a cache mount without a target')
    options.set('id', cacheId(rules.account, name))
  }
  return [...options].map(([name, value]) => (value === undefined ? name : `${name}=${value}`)).join(',')
}

/** takeFlags allows no quotes, so that commas only separate. A later option would replace an earlier one. */
function readOptions(text: string, line: number): Map<string, string | undefined> {
  const options = new Map<string, string | undefined>()
  for (const field of text.split(',')) {
    const equals = field.indexOf('=')
    const written = (equals < 0 ? field : field.slice(0, equals)).toLowerCase()
    const name = Object.hasOwn(aliases, written) ? aliases[written]! : written
    const value = equals < 0 ? undefined : field.slice(equals + 1)
    if (options.has(name)) throw problemAt(line, `has ${shown(name)} twice in a mount`)
    if (value === undefined && !withoutValue.includes(name))
      throw problemAt(line, `has a mount with ${shown(field)}; write it as name=value`)
    if (['type', 'from'].includes(name) && value?.includes('$'))
      throw problemAt(line, `has a variable in the ${name} of a mount; write the name`)
    options.set(name, value)
  }
  return options
}

function guardFrom(name: string, line: number, { source }: MountRules): string {
  // BuildKit takes numbers for images here.
  if (/^\d+$/.test(name)) throw problemAt(line, `mounts from the stage ${name}; give the stage a name and use that`)
  return source(name)
}

function secretOf(id: string | undefined, line: number, { addSecret }: MountRules): string {
  if (id === undefined || !/^[A-Za-z_]\w*$/.test(id))
    throw problemAt(
      line,
      `mounts the secret ${shown(id ?? '')}; name a variable of the project (id=API_TOKEN), or id=${allVariables} for all of them`
    )
  addSecret({ id, line })
  return id
}
