import type { BuildPlan, PlanInput, Planner } from './build-plan.ts'
import { labels } from './dockerfile.render.ts'
import { parseDockerignore } from './dockerignore.ts'
import { BuildError } from './image-builder.ts'

const path = 'Dockerfile'

/** The repository's own Dockerfile, with our labels on each stage and the project's start command, if it has one. */
export const dockerfilePlanner: Planner = { reads: () => [path, '.dockerignore'], plan }

function plan(input: PlanInput): BuildPlan {
  if (input.symlinks.has(path)) throw new BuildError('The Dockerfile is a symbolic link; make it a regular file.')
  if (!input.files.has(path)) throw new BuildError('There is no Dockerfile in the root of the repository; add one.')
  const text = input.text.get(path)
  if (text === undefined) throw new BuildError('The Dockerfile cannot be read: it is too large.')
  if (!/^\s*FROM\s/im.test(text)) throw new BuildError('The Dockerfile has no FROM instruction.')
  return {
    description: 'the Dockerfile of the repository',
    notes: input.buildCmd === undefined ? [] : ['The build command is not used: the Dockerfile says how to build.'],
    dockerfile: path,
    files: new Map([[path, withStart(labelStages(text, input.labels), input.startCmd)]]),
    sourceDirectory: '',
    dependencyFiles: new Set(),
    ignore: ['.git', ...parseDockerignore(input.text.get('.dockerignore') ?? '')],
    port: input.port,
    // Its own LABELs could say otherwise; those of the result come last.
    isLabelled: false,
    readOnlyRoot: false,
    volumes: []
  }
}

/**
 * Puts a LABEL after each FROM. Leaves a file with here-documents as it is, since a FROM inside one is text; its stages are
 * then found by the engine's own bookkeeping only.
 */
export function labelStages(text: string, values: Readonly<Record<string, string>>): string {
  if (/<<-?["']?\w/.test(text) || Object.keys(values).length === 0) return text
  const escape = /^#\s*escape\s*=\s*`/im.test(text) ? '`' : '\\'
  const lines: string[] = []
  let inFrom = false
  let continued = false
  for (const line of text.split(/\r?\n/)) {
    lines.push(line)
    const isComment = /^\s*#/.test(line)
    // Comments and empty lines inside a continued instruction do not end it.
    if (isComment || (continued && line.trim() === '')) continue
    if (!continued) inFrom = /^\s*FROM\s/i.test(line)
    continued = line.trimEnd().endsWith(escape)
    if (inFrom && !continued) {
      lines.push(labels(values))
      inFrom = false
    }
  }
  return lines.join('\n')
}

const withStart = (text: string, startCmd: string | undefined): string =>
  startCmd === undefined ? text : `${text}\nENTRYPOINT ${JSON.stringify(['/bin/sh', '-c', startCmd])}\nCMD []\n`
