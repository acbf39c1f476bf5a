import { createHash } from 'node:crypto'
import { renderBuildEnvironment } from './build-environment.render.ts'
import { panelDirectory, type PlanInput } from './build-plan.ts'
import { copy, type Mount } from './dockerfile.render.ts'
import { allVariables } from './run-mounts.ts'

/** How steps of the panel's own Dockerfiles get variables, as the file /run/panel/build-env. */
export interface BuildEnvironment {
  files: ReadonlyMap<string, string>
  secrets: Readonly<Record<string, string>>
  /** Comes before the steps, so that they run again when a variable changes. */
  copy: string
  mounts: readonly Mount[]
}

const target = '/run/panel/build-env'

/** With BuildKit a secret that is in no layer; without it a file of a stage that is thrown away. */
export function buildEnvironment(
  { hasBuildKit }: Pick<PlanInput, 'hasBuildKit'>,
  variables: Readonly<Record<string, string>>
): BuildEnvironment {
  const text = renderBuildEnvironment(variables)
  const name = `${panelDirectory}build-env`
  if (!hasBuildKit) return { files: new Map([[name, text]]), secrets: {}, copy: copy(name, target), mounts: [] }
  // BuildKit's cache does not see secrets change.
  const sum = createHash('sha256').update(text).digest('hex')
  return {
    files: new Map([[`${name}.sha256`, `${sum}\n`]]),
    secrets: { [allVariables]: text },
    copy: copy(`${name}.sha256`, `${target}.sha256`),
    mounts: [{ type: 'secret', id: allVariables, target, required: true }]
  }
}
