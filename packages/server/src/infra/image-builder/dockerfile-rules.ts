import type { DetectionNoteCode } from '@panel/contract/detection-texts'
import type { DetectionNote, PlanInput } from './build-plan.ts'
import { hereDocument, isKeptCopyOption, unclearHereDocument, withoutCacheMounts } from './buildkit-options.ts'
import { labels as renderLabels } from './dockerfile.render.ts'
import {
  type Instruction,
  findEscape,
  namesSyntax,
  problemAt,
  scanDockerfile,
  shown,
  takeFlags,
  takeList,
  takeWords
} from './dockerfile-scan.ts'
import { canonicalReference } from './image-reference.ts'
import { BuildError } from './image-builder.ts'
import { guardRunOptions, type SecretUse } from './run-mounts.ts'

interface GuardedDockerfile {
  text: string
  references: readonly string[]
  notes: readonly DetectionNote[]
  fromScratch: boolean
  secrets: readonly SecretUse[]
}

interface GuardOptions extends Pick<PlanInput, 'registryHosts' | 'pinnedImages'> {
  /** Allows what BuildKit has. Its caches are of this account. */
  buildKit?: { account: number | undefined } | undefined
  /** Lines for the end of the Dockerfile. */
  last?: readonly string[]
  /** Stage to build. Default: the last one. */
  target?: string | undefined
  /** Values that the engine gets for ARG. */
  buildArgs?: Readonly<Record<string, string>> | undefined
}

const maxReferences = 20
const maxStages = 200
const labelPrefix = 'panel.'

/**
 * Rewrites a user's Dockerfile so that a shared engine can build it safely: image names are canonical and can only mean
 * a registry image, the engine fetches nothing itself, and every stage begins and ends with the panel's labels. What comes
 * after the target stage is omitted, so that the target is the last stage. Throws BuildError with the line number.
 */
export function guardDockerfile(
  text: string,
  labels: Readonly<Record<string, string>>,
  { last = [], target, buildArgs = {}, buildKit, registryHosts, pinnedImages }: GuardOptions = {}
): GuardedDockerfile {
  const escape = findEscape(text)
  const label = Object.keys(labels).length === 0 ? [] : [renderLabels(labels)]
  const state: State = {
    defaults: new Map(),
    buildArgs,
    buildKit,
    registryHosts,
    pinnedImages,
    stages: [],
    references: new Set(),
    notes: new Set(buildKit && namesSyntax(text) ? ['SYNTAX_NOT_USED' as const] : []),
    fromScratch: false,
    secrets: []
  }
  const lines: string[] = escape === '`' ? ['# escape=`'] : []
  for (const instruction of scanDockerfile(text)) {
    const isFrom = instruction.keyword === 'FROM'
    if (isFrom && isTarget(state.stages.at(-1), target)) break
    if (isFrom && state.stages.length > 0) lines.push(...label)
    if (!isFrom && state.stages.length === 0 && instruction.keyword !== 'ARG')
      throw problemAt(instruction.line, `has ${instruction.keyword} before the first FROM; only ARG is allowed there`)
    lines.push(guard(instruction, state, escape))
    if (isFrom) lines.push(...label)
  }
  if (state.stages.length === 0) throw new BuildError({ code: 'DOCKERFILE_NO_FROM' })
  if (target !== undefined && !isTarget(state.stages.at(-1), target))
    throw new BuildError({ code: 'DOCKERFILE_NO_STAGE', values: { target } })
  if (state.references.size > maxReferences)
    throw new BuildError({ code: 'DOCKERFILE_TOO_MANY_IMAGES', values: { max: maxReferences } })
  return {
    text: [...lines, ...last, ...label, ''].join('\n'),
    references: [...state.references],
    notes: [...state.notes].map((code) => ({ code })),
    fromScratch: state.fromScratch,
    secrets: state.secrets
  }
}

const isTarget = (stage: string | undefined, target: string | undefined): boolean =>
  stage !== undefined && stage === target?.toLowerCase()

interface State extends Pick<GuardOptions, 'buildKit' | 'registryHosts' | 'pinnedImages'> {
  /** Of ARGs before the first FROM; undefined where the default is not a plain word. */
  defaults: Map<string, string | undefined>
  buildArgs: Readonly<Record<string, string>>
  stages: string[]
  references: Set<string>
  notes: Set<DetectionNoteCode>
  fromScratch: boolean
  secrets: SecretUse[]
}

function guard(instruction: Instruction, state: State, escape: string): string {
  const { keyword, args, line } = instruction
  if (keyword === 'FROM') return guardFrom(instruction, state)
  if (keyword === 'COPY' || keyword === 'ADD') return guardCopy(instruction, state)
  if (keyword === 'ONBUILD')
    throw problemAt(line, 'has ONBUILD, which is not supported; write the instruction without it')
  if (keyword === 'RUN') return guardRun(instruction, state)
  if (keyword === 'LABEL') guardLabel(instruction, escape)
  if (keyword === 'HEALTHCHECK' && args.toUpperCase() !== 'NONE') state.notes.add('HEALTHCHECK_NOT_USED')
  if (keyword === 'ARG' && state.stages.length === 0) noteDefaults(args, state)
  return args === '' ? keyword : `${keyword} ${args}`
}

function guardFrom(instruction: Instruction, state: State): string {
  const { line } = instruction
  const { flags, rest } = takeFlags(instruction)
  for (const { name } of flags) {
    if (name !== 'platform') throw problemAt(line, `has FROM with the unknown option --${name}; remove it`)
    state.notes.add('PLATFORM_NOT_USED')
  }
  const [written, as, stage, ...more] = takeWords(rest)
  const name = stage?.toLowerCase() ?? ''
  const isComplete = as === undefined || (as.toUpperCase() === 'AS' && /^[a-z][a-z0-9_.-]{0,127}$/.test(name))
  if (written === undefined || !isComplete || more.length > 0)
    throw problemAt(line, 'has an invalid FROM; write FROM image:tag or FROM image:tag AS stage')
  const text = withDefaults(written, state.defaults, line)
  const earlier = state.stages.find((one) => one !== '' && one === text.toLowerCase())
  const image = earlier ?? (text === 'scratch' ? text : externalImage(text, state, line))
  if (image === 'scratch') state.fromScratch = true
  if (name !== '' && state.stages.includes(name)) throw problemAt(line, `names a stage ${shown(name)} twice`)
  if (state.stages.length === maxStages) throw problemAt(line, `exceeds the limit of ${maxStages} stages`)
  state.stages.push(name)
  return `FROM ${image}${name === '' ? '' : ` AS ${name}`}`
}

// Expands `$NAME` and `${NAME}` from ARGs before the first FROM: their build argument, else their default.
function withDefaults(text: string, defaults: State['defaults'], line: number): string {
  const replaced = text.replace(/\$(?:\{(\w{1,100})\}|(\w{1,100}))/g, (_, braced?: string, plain?: string) => {
    const name = braced ?? plain!
    const value = defaults.get(name)
    if (value === undefined)
      throw problemAt(
        line,
        `uses $${name} in FROM; give it a plain default with ARG ${name}=… before the first FROM, or set a build argument`
      )
    return value
  })
  if (replaced.includes('$'))
    throw problemAt(line, `has an unsupported variable in ${shown(text)}; write the image name`)
  return replaced
}

function noteDefaults(args: string, { defaults, buildArgs }: State): void {
  for (const word of takeWords(args)) {
    const equals = word.indexOf('=')
    const name = equals < 0 ? word : word.slice(0, equals)
    const written = equals < 0 ? '' : word.slice(equals + 1).replace(/^(["'])(.*)\1$/, '$2')
    const value = Object.hasOwn(buildArgs, name) ? buildArgs[name]! : written
    defaults.set(name, /^[\w./:@-]{1,500}$/.test(value) ? value : undefined)
  }
}

function externalImage(text: string, state: State, line: number): string {
  const parsed = canonicalReference(text, state.registryHosts)
  if ('problem' in parsed) throw problemAt(line, `names an image that is not allowed: ${parsed.problem}`)
  const pinned = state.pinnedImages?.get(parsed.reference)
  if (pinned === undefined) state.references.add(parsed.reference)
  return pinned ?? parsed.reference
}

/** Writes the arguments as a JSON array, which has exactly one reading but no here-documents. */
function guardCopy(instruction: Instruction, state: State): string {
  const { keyword, line } = instruction
  const { flags, rest } = takeFlags(instruction)
  const hereDocuments = hereDocumentsOf(instruction, state)
  const list = hereDocuments ? takeWords(rest) : takeList(rest)
  if (list.length < 2) throw problemAt(line, `has ${keyword} without a source or a destination`)
  for (const source of list.slice(0, -1)) {
    if (!hereDocuments && source.startsWith('<<'))
      throw state.buildKit ? unclearHereDocument(instruction) : hereDocument(instruction)
    if (keyword === 'ADD' && !hereDocumentName.test(source)) guardSource(source, line)
  }
  const kept = flags.filter(({ name }) => isKeptCopyOption(instruction, name, state.buildKit !== undefined))
  const options = kept.map(({ name, value }) => {
    if (name !== 'from') return value === undefined ? `--${name} ` : `--${name}=${value} `
    return `--from=${copySource(value ?? '', state, line)} `
  })
  if (!hereDocuments) return `${keyword} ${options.join('')}${JSON.stringify(list)}`
  if (!list.every((word) => hereDocumentName.test(word) || /^[\w./${}@:+~*?-]+$/.test(word)))
    throw unclearHereDocument(instruction)
  return [`${keyword} ${options.join('')}${list.join(' ')}`, ...hereDocuments].join('\n')
}

const hereDocumentName = /^<<-?(["']?)\w+\1$/

/** Undefined if it has none. Throws BuildError if this builder has none, or if it is not plain what belongs to one. */
function hereDocumentsOf(instruction: Instruction, { buildKit }: State): readonly string[] | undefined {
  const { hereDocuments } = instruction
  if (hereDocuments === undefined) return undefined
  if (!buildKit) throw hereDocument(instruction)
  if (hereDocuments === 'unclear') throw unclearHereDocument(instruction)
  return hereDocuments
}

function copySource(text: string, state: State, line: number): string {
  const current = state.stages.length - 1
  if (/^[0-9]{1,4}$/.test(text) && Number(text) < current) return String(Number(text))
  const name = text.toLowerCase()
  if (name !== '' && state.stages.indexOf(name) === current)
    throw problemAt(line, `copies from the stage ${shown(name)} into itself; name an earlier stage`)
  if (name !== '' && state.stages.includes(name)) return name
  if (text.includes('$')) throw problemAt(line, 'has a variable in --from; write the name of the stage or image')
  if (text === 'scratch') throw problemAt(line, 'copies from scratch, which is empty')
  return externalImage(text, state, line)
}

/** The engine would fetch a remote source itself, from the server's network (SSRF). */
function guardSource(source: string, line: number): void {
  const isRemote =
    source.includes('://') || /^[\w.-]{1,200}@[\w.-]{1,200}:/.test(source) || /^github\.com\//i.test(source)
  if (isRemote)
    throw problemAt(line, `adds ${shown(source)} from another host; use RUN with curl, wget or git clone instead`)
  if (/[$"'`\\]/.test(source))
    throw problemAt(line, `has an ADD whose source is not a plain path (${shown(source)}); use COPY instead`)
}

function guardRun(instruction: Instruction, state: State): string {
  const { buildKit } = state
  if (buildKit) {
    const run = guardRunOptions(instruction, {
      ...buildKit,
      source: (name) => copySource(name, state, instruction.line),
      addSecret: (use) => state.secrets.push(use)
    })
    return [run, ...(hereDocumentsOf(instruction, state) ?? [])].join('\n')
  }
  const { args, hasCacheMount } = withoutCacheMounts(instruction)
  if (hasCacheMount) state.notes.add('CACHE_MOUNT_NOT_USED')
  hereDocumentsOf(instruction, state)
  return `RUN ${args}`
}

/** Our labels are set last, but intermediate images would still carry a forged one. */
function guardLabel({ args, line }: Instruction, escape: string): void {
  const words = takeWords(args.replace(/["']/g, '').replaceAll(escape, ''))
  const isPairs = words[0]?.includes('=') ?? false
  const keys = isPairs ? words.filter((word) => word.includes('=')) : words.slice(0, 1)
  for (const key of keys.map((word) => word.split('=', 1)[0]!)) {
    if (key.startsWith(labelPrefix) || key.includes('$'))
      throw problemAt(
        line,
        `sets the label ${shown(key)}; names that start with ${labelPrefix} or contain a variable are not allowed`
      )
  }
}
