import { z } from 'zod'

const ProjectMachine = z
  .object({
    name: z.string().meta({ examples: ['m2'] }),
    instances: z.int().meta({ description: 'Containers of the site there.' }),
    isResponding: z.boolean().meta({
      description:
        'false: its instances get no requests, and the others serve. They are started elsewhere if a machine without an instance can take them.'
    })
  })
  .meta({ id: 'ProjectMachine' })

/** Members of a project. */
export const projectPlace = {
  keepsFiles: z.boolean().optional().meta({ description: 'Whether its containers have its files, at `/data`.' }),
  machineLabels: z.array(z.string()).optional().meta({ description: 'Labels that its machines must have.' }),
  machines: z.array(ProjectMachine).optional().meta({
    description:
      'Where its containers are, that of the first instance first. Only when you get a single project; empty if nothing is deployed.'
  })
}
