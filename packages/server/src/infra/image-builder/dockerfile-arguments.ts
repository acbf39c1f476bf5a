import type { DetectionNote, PlanInput } from './build-plan.ts'
import { scanDockerfile, takeWords } from './dockerfile-scan.ts'
import { BuildError } from './image-builder.ts'

type Arguments = Pick<PlanInput, 'buildArgs' | 'buildEnv' | 'secretKeys'>

/**
 * The build arguments of a Dockerfile: those of the project, and variables that it declares by ARG. Arguments stay in the
 * history of the image, so sensitive variables are not passed; one that is only for the build would have no use, and is
 * refused with BuildError.
 */
export function dockerfileArguments(
  text: string,
  { buildArgs = {}, buildEnv, secretKeys = [] }: Arguments
): { buildArgs: Record<string, string>; notes: DetectionNote[] } {
  const declared = [...declaredArguments(text)].filter(
    (name) => Object.hasOwn(buildEnv, name) && !Object.hasOwn(buildArgs, name)
  )
  const secrets = secretKeys.filter(({ key }) => declared.includes(key))
  const refused = secrets.filter(({ isForBuildOnly }) => isForBuildOnly)
  if (refused.length > 0) throw new BuildError({ code: 'SECRET_BUILD_ARGUMENT', values: { keys: namesOf(refused) } })
  const passed = declared.filter((name) => secrets.every(({ key }) => key !== name))
  return {
    buildArgs: { ...Object.fromEntries(passed.map((name) => [name, buildEnv[name]!])), ...buildArgs },
    notes: secrets.length === 0 ? [] : [{ code: 'SECRET_NOT_ARGUMENT', values: { keys: namesOf(secrets) } }]
  }
}

const namesOf = (secrets: readonly { key: string }[]): string[] => secrets.map(({ key }) => key)

/** In any stage: the engine only warns about arguments of stages that are not built. */
function declaredArguments(text: string): Set<string> {
  const names = new Set<string>()
  for (const { keyword, args } of scanDockerfile(text))
    if (keyword === 'ARG') for (const word of takeWords(args)) names.add(word.split('=', 1)[0]!)
  return names
}
