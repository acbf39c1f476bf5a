import type { DetectedCommand } from '@panel/contract/detection'
import { renderBuildEnvironment } from './build-environment.render.ts'
import type { BuildPlan, PlanInput, Planner } from './build-plan.ts'
import { dockerfileArguments } from './dockerfile-arguments.ts'
import { guardDockerfile } from './dockerfile-rules.ts'
import { shellProgram } from './dockerfile.render.ts'
import { parseDockerignore } from './dockerignore.ts'
import { BuildError } from './image-builder.ts'
import { usualDockerfile } from './project-root.ts'
import { allVariables, type SecretUse } from './run-mounts.ts'

/** As Docker does: the ignore file that is named after the Dockerfile comes first. */
const ignoreFilesOf = (path: string): string[] => [`${path}.dockerignore`, '.dockerignore']

export const dockerfilePlanner: Planner = {
  reads: (_files, _text, { dockerfilePath: path = usualDockerfile }) => [path, ...ignoreFilesOf(path)],
  plan
}

function plan(input: PlanInput): BuildPlan {
  const path = input.dockerfilePath ?? usualDockerfile
  if (input.symlinks.has(path)) throw new BuildError({ code: 'DOCKERFILE_IS_LINK' })
  if (!input.files.has(path)) throw noDockerfile(input)
  const text = input.text.get(path)
  if (text === undefined) throw new BuildError({ code: 'DOCKERFILE_TOO_LARGE' })
  const { dockerTarget: target } = input
  const start = startOf(input)
  const { buildArgs, notes: argumentNotes } = dockerfileArguments(text, input)
  const { notes, references, fromScratch, secrets, ...guarded } = guardDockerfile(text, input.labels, {
    last: startLines(start?.command),
    target,
    buildArgs,
    registryHosts: input.registryHosts,
    pinnedImages: input.pinnedImages,
    buildKit: input.hasBuildKit ? { account: input.owner } : undefined
  })
  return {
    description: 'the Dockerfile of the repository',
    detected: { start },
    bases: [],
    notes: [
      ...(input.buildCmd === undefined ? [] : [{ code: 'BUILD_NOT_OF_DOCKERFILE' as const }]),
      ...argumentNotes,
      ...notes
    ],
    dockerfile: path,
    files: new Map([[path, guarded.text]]),
    references,
    fromScratch,
    buildArgs,
    ...secretsOf(secrets, input.buildEnv),
    sourceDirectory: '',
    dependencyFiles: new Set(),
    ignore: [
      '.git',
      ...parseDockerignore(
        ignoreFilesOf(path)
          .map((name) => input.text.get(name))
          .find((found) => found !== undefined) ?? ''
      )
    ],
    port: input.port,
    // Inherited steps could override the labels, so the final image needs all of them.
    isLabelled: false,
    readOnlyRoot: false,
    filesAt: '/data'
  }
}

/** Each is the variable of its name, or all of them. */
function secretsOf(
  uses: readonly SecretUse[],
  variables: Readonly<Record<string, string>>
): Pick<BuildPlan, 'secrets' | 'missingSecrets'> {
  const ids = [...new Set(uses.map(({ id }) => id))]
  const known = ids.filter((id) => id === allVariables || Object.hasOwn(variables, id))
  return {
    secrets: Object.fromEntries(
      known.map((id) => [id, id === allVariables ? renderBuildEnvironment(variables) : variables[id]!])
    ),
    missingSecrets: ids.filter((id) => !known.includes(id))
  }
}

function noDockerfile({ dockerfilePath, files }: PlanInput): BuildError {
  if (dockerfilePath !== undefined && dockerfilePath !== usualDockerfile)
    return new BuildError({ code: 'NO_DOCKERFILE_THERE', values: { path: dockerfilePath } })
  const found = [...files].filter((path) => path.endsWith('/Dockerfile')).slice(0, 5)
  return found.length === 0
    ? new BuildError({ code: 'NO_DOCKERFILE' })
    : new BuildError({ code: 'DOCKERFILE_ELSEWHERE', values: { paths: found.join(', ') } })
}

function startOf({ startCmd, procfileStart }: PlanInput): DetectedCommand | undefined {
  if (startCmd !== undefined) return { command: startCmd, source: 'SETTING' }
  return procfileStart === undefined ? undefined : { command: procfileStart, source: 'PROCFILE' }
}

/** Runs the command in place of what the image does. */
export const startLines = (startCmd: string | undefined): string[] =>
  startCmd === undefined ? [] : [`ENTRYPOINT ${JSON.stringify(shellProgram(startCmd))}`, 'CMD []']
