import { z } from 'zod'
import { singleLine } from './common.ts'
import { words } from './details.ts'

/** A glob over paths or tags of a repository; `!` in front excludes. */
const Glob = singleLine(200).regex(/^!?(?!\/|\.{1,2}\/)[^\\\s!][^\\]*$/, words.GLOB)

export const DeployRules = z
  .object({
    automatic: z.boolean().default(true).meta({ description: 'Whether pushes and tags start deployments at all.' }),
    branch: z.boolean().default(true).meta({ description: 'Whether pushes to the branch of the project do.' }),
    tagPattern: Glob.nullable()
      .default(null)
      .meta({
        description: 'Glob; pushed tags that match start a deployment if their commit is on the branch. Null: no tags.',
        examples: ['v*']
      }),
    watchPaths: z
      .array(Glob)
      .max(50)
      .default([])
      .meta({
        description:
          'Globs over paths from the root of the repository, such as `apps/web/**`; `!` in front excludes. A push to the branch that changes ' +
          'none of them is ignored. Empty: any change deploys, and so does a push whose provider does not list all changed files.'
      }),
    skipMarkers: z.boolean().default(true).meta({
      description: 'Whether `[skip ci]`, `[ci skip]` or `[skip deploy]` in the message of the head commit prevents it.'
    })
  })
  .meta({ id: 'DeployRules' })
export type DeployRules = z.infer<typeof DeployRules>

export const defaultDeployRules: Readonly<DeployRules> = Object.freeze(DeployRules.parse({}))
