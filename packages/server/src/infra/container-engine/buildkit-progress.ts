import { StringDecoder } from 'node:string_decoder'
import { z } from 'zod'
import { accountMark } from './buildkit-mounts.ts'
import { createPlainTextStream, plainText } from './terminal-text.ts'

const Vertex = z.object({
  digest: z.string(),
  name: z.string(),
  started: z.string().optional(),
  completed: z.string().optional(),
  cached: z.boolean().optional(),
  error: z.string().optional()
})
type Vertex = z.infer<typeof Vertex>

const Status = z.object({
  vertexes: z.array(Vertex).nullish(),
  logs: z.array(z.object({ vertex: z.string(), data: z.string().optional() })).nullish()
})

interface BuildProgress {
  /** A line of `--progress=rawjson`, whose objects take one line or many. */
  addLine(line: string): void
  /** Why the build failed, as far as the output tells. */
  problem(): string | undefined
}

interface Step {
  title: string
  isShown: boolean
  isCached: boolean
  clean: (data: string) => string
}

/** `[build 2/5] RUN npm ci`, as BuildKit names the steps of a Dockerfile. Everything else is its own work. */
const stepName = /^\[(?:([\w.-]+) )? *(\d+\/\d+)\] ([^]*)$/
const maxObjectCharacters = 4 * 1024 * 1024

/**
 * Turns BuildKit's progress into the log of the classic builder: `Step 2/5 : RUN npm ci`, its output, ` ---> Using cache`.
 * Stages are built at the same time, so the title appears again when the output switches between steps.
 */
export function createBuildProgress(onLog: (text: string) => void): BuildProgress {
  const steps = new Map<string, Step>()
  const lastLines: string[] = []
  let error: string | undefined
  let current: string | undefined
  let isLineOpen = false
  let object: string | undefined

  const write = (text: string) => {
    if (text === '') return
    isLineOpen = !text.endsWith('\n')
    onLog(text)
  }
  const show = (digest: string, step: Step) => {
    if (current === digest) return
    write(`${isLineOpen ? '\n' : ''}${step.title}\n`)
    current = digest
    step.isShown = true
  }
  const addVertex = (vertex: Vertex) => {
    if (vertex.error) error ??= vertex.error
    const title = titleOf(vertex.name)
    if (title === undefined) return
    const step = steps.get(vertex.digest) ?? { title, isShown: false, isCached: false, clean: decoder() }
    steps.set(vertex.digest, step)
    if ((vertex.started ?? vertex.cached) && !step.isShown) show(vertex.digest, step)
    if (vertex.cached && !step.isCached) {
      step.isCached = true
      show(vertex.digest, step)
      write(' ---> Using cache\n')
    }
  }
  const addObject = (text: string) => {
    const { data } = Status.safeParse(JSON.parse(text))
    for (const vertex of data?.vertexes ?? []) addVertex(vertex)
    for (const { vertex, data: bytes = '' } of data?.logs ?? []) {
      const step = steps.get(vertex)
      const output = step?.clean(bytes) ?? ''
      if (step === undefined || output === '') continue
      show(vertex, step)
      write(output)
    }
  }
  return {
    addLine(line) {
      if (object === undefined && !line.startsWith('{')) {
        if (line.trim() !== '') lastLines.splice(0, lastLines.length - 19, line)
        return
      }
      object = object === undefined ? line : `${object}\n${line}`
      if (object.length > maxObjectCharacters) throw new Error('BuildKit reported more than 4 MiB at once')
      // Only the last line of an object is not indented.
      if (!line.startsWith('}') && !(object === line && line.endsWith('}'))) return
      const text = object
      object = undefined
      addObject(text)
    },
    problem: () => error ?? problemIn(lastLines)
  }
}

function decoder(): Step['clean'] {
  const decode = new StringDecoder('utf8')
  const clean = createPlainTextStream()
  return (data) => clean(decode.write(Buffer.from(data, 'base64')))
}

/** Without the panel's own marks. A later stage without a name begins at the same time as the first. */
function titleOf(name: string): string | undefined {
  const [, stage, count, instruction] = stepName.exec(name) ?? []
  if (instruction === undefined || /^(internal|auth)$/.test(stage ?? '')) return undefined
  const text = plainText(accountMark.remove(instruction)).replace(/\n[^]*$/, ' …')
  const isFrom = text.startsWith('FROM ')
  if (isFrom && /^stage-[1-9]/.test(stage ?? '')) return undefined
  return `Step ${count} : ${text}${isFrom && stage !== undefined && stage !== 'stage-0' ? ` AS ${stage}` : ''}`
}

const problemIn = (lines: readonly string[]): string | undefined =>
  lines
    .findLast((line) => line.startsWith('ERROR: '))
    ?.replace(/^ERROR: (?:failed to solve: )?/, '')
    .trim() ?? lines.at(-1)
