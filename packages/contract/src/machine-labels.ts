import { z } from 'zod'
import { words } from './details.ts'

/** `ssd` or `region=eu`. */
export const MachineLabel = z
  .string()
  .max(63)
  .regex(/^[a-z][a-z0-9-]*(=[a-z0-9][a-z0-9.-]*)?$/, words.MACHINE_LABEL)
  .meta({ examples: ['region=eu'] })
export const MachineLabels = z
  .array(MachineLabel)
  .max(20)
  .transform((labels) => [...new Set(labels)].toSorted())

/** Members of a project's settings. */
export const placementSettings = {
  keepsFiles: z
    .boolean()
    .optional()
    .meta({
      description:
        'false: the containers have no `/data`, and what they write elsewhere is lost with each deployment. With several machines, such a ' +
        'project can be on any of them, and its site starts on another one when its machine fails. Files and volumes stay where they are. ' +
        'Default true. Not for the types WORDPRESS and PHP, nor for `source` FILES. A change replaces the running containers without a build.'
    }),
  machineLabels: MachineLabels.optional().meta({
    examples: [['region=eu']],
    description:
      'Labels that the machines of the project must have. Default: any machine for sites. A project with files stays with them.'
  })
}
