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

/** Of a new project: they decide its machine once. */
export const placementSettings = {
  machineLabels: MachineLabels.optional().meta({
    examples: [['region=eu']],
    description: 'Labels that the machine of the project must have. Default: any machine for sites.'
  })
}
