import { baseImage, sourceDirectory, type BuildPlan, type PlanInput, type Planner } from './build-plan.ts'
import { copy } from './dockerfile.render.ts'
import { BuildError } from './image-builder.ts'
import { detectNode, isBuildable } from './node-project.ts'
import { builtSite, readsOfSite, siteOutputs, sitePlan, type Site } from './site.plan.ts'

const defaultPort = 8080

const siteDirectories = ['', 'public/', 'dist/', 'build/', '_site/']

export const staticPlanner: Planner = { reads: readsOfSite, plan }

function plan(input: PlanInput): BuildPlan {
  const node = detectNode(input)
  const site = isBuildable(input, node) ? builtSite(input, node, siteOutputs(input, node.framework)) : plain(input)
  const notes = input.startCmd === undefined ? [] : [{ code: 'START_NOT_OF_SITE' as const }]
  return sitePlan(input, input.port ?? defaultPort, { ...site, notes: [...site.notes, ...notes] })
}

function plain(input: PlanInput): Site {
  const { outputDirectory: path } = input
  const candidates = path === undefined ? siteDirectories : [`${path}/`]
  const directory = candidates.find((candidate) => input.files.has(`${candidate}index.html`))
  if (directory === undefined)
    throw new BuildError(path === undefined ? { code: 'NO_SITE' } : { code: 'NO_SITE_THERE', values: { path } })
  return {
    description: `a static site${directory === '' ? '' : ` in ${directory}`}`,
    detected: { site: [directory === '' ? '.' : directory] },
    bases: [baseImage(input.images, 'static')],
    notes: [],
    isSinglePage: false,
    rulesIn: [directory],
    lines: [],
    files: new Map(),
    copy: copy(`${sourceDirectory}${directory}`, '/srv/'),
    dependencyFiles: new Set(),
    ignore: ['**/.*', '!.well-known', `!${directory}.well-known`]
  }
}
