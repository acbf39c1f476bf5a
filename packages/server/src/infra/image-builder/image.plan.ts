import type { BuildPlan, PlanInput, Planner } from './build-plan.ts'
import { startLines } from './dockerfile.plan.ts'
import { dockerfile, from } from './dockerfile.render.ts'
import { BuildError } from './image-builder.ts'
import { usualDockerfile } from './project-root.ts'

/**
 * An image from a registry, with the panel's labels and the start command of the project on top: kept, counted and
 * removed like every other release.
 */
export const imagePlanner: Planner = { reads: () => [], plan }

function plan({ image, startCmd, port }: PlanInput): BuildPlan {
  if (image === undefined) throw new BuildError({ code: 'IMAGE_NOT_SET' })
  const start = startCmd === undefined ? undefined : ({ command: startCmd, source: 'SETTING' } as const)
  return {
    description: `the image ${image}`,
    detected: { start },
    bases: [],
    notes: [],
    dockerfile: usualDockerfile,
    files: new Map([[usualDockerfile, dockerfile(from(image), ...startLines(startCmd))]]),
    references: [],
    sourceDirectory: '',
    dependencyFiles: new Set(),
    ignore: [],
    port,
    // Those of the image could override the labels, so the final image needs all of them.
    isLabelled: false,
    readOnlyRoot: false,
    filesAt: '/data'
  }
}
