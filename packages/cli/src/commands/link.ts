import type { Command } from '../command.ts'
import { writeLink } from '../link.ts'
import { findProject } from '../projects.ts'

export const link: Command = {
  name: 'link',
  about: 'link this folder to a project, so that other commands need no project',
  args: '<project>',
  example: 'link shop',
  async run({ client, args, cwd, url, print, next }) {
    const { id: projectId, name } = await findProject(client, args[0]!)
    const file = await writeLink(cwd, { url, projectId, name })
    print({ file, url, projectId, name }, `This folder is linked to ${name} on ${url}\n`)
    next('deploy')
  }
}
