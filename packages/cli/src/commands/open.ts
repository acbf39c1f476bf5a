import type { Command } from '../command.ts'
import { openInBrowser } from '../browser.ts'
import { projectOf } from '../projects.ts'

export const open: Command = {
  name: 'open',
  about: 'open the site of a project, or its page in the dashboard, in the browser',
  args: '[project]',
  options: [['--dashboard', 'the page in the dashboard']],
  example: 'open shop --dashboard',
  async run(call) {
    const { id, deployedDomain, name } = await projectOf(call)
    const isSite = deployedDomain !== null && call.options.dashboard !== true
    const url = isSite ? `https://${deployedDomain}/` : `${call.url}/projects/${id}`
    openInBrowser(call, url)
    call.print({ url }, `${url}\n`)
    call.next(`status ${name}`)
  }
}
