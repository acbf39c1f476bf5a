import type { BuildPlan, PlanInput, Planner } from './build-plan.ts'
import { guardDockerfile } from './dockerfile-rules.ts'
import { parseDockerignore } from './dockerignore.ts'
import { BuildError } from './image-builder.ts'

const path = 'Dockerfile'

export const dockerfilePlanner: Planner = { reads: () => [path, '.dockerignore'], plan }

function plan(input: PlanInput): BuildPlan {
  if (input.symlinks.has(path)) throw new BuildError({ code: 'DOCKERFILE_IS_LINK' })
  if (!input.files.has(path)) throw new BuildError({ code: 'NO_DOCKERFILE' })
  const text = input.text.get(path)
  if (text === undefined) throw new BuildError({ code: 'DOCKERFILE_TOO_LARGE' })
  const { notes, references, fromScratch, ...guarded } = guardDockerfile(text, input.labels, startLines(input.startCmd))
  return {
    description: 'the Dockerfile of the repository',
    detected: { start: input.startCmd === undefined ? undefined : { command: input.startCmd, source: 'SETTING' } },
    bases: [],
    notes: [...(input.buildCmd === undefined ? [] : [{ code: 'BUILD_NOT_OF_DOCKERFILE' as const }]), ...notes],
    dockerfile: path,
    files: new Map([[path, guarded.text]]),
    references,
    fromScratch,
    sourceDirectory: '',
    dependencyFiles: new Set(),
    ignore: ['.git', ...parseDockerignore(input.text.get('.dockerignore') ?? '')],
    port: input.port,
    // Inherited steps could override the labels, so the final image needs all of them.
    isLabelled: false,
    readOnlyRoot: false,
    filesAt: '/data'
  }
}

const startLines = (startCmd: string | undefined): string[] =>
  startCmd === undefined ? [] : [`ENTRYPOINT ${JSON.stringify(['/bin/sh', '-c', startCmd])}`, 'CMD []']
