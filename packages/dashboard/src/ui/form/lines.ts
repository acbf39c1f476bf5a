import { z } from 'zod'

/** For a Textarea with one entry per line; errors name the line. Empty lines are skipped. */
export const linesOf = (list: z.ZodType<string[] | undefined>) =>
  z.string().transform((text, context) => {
    const lines = text.split('\n').map((line) => line.trim())
    for (const [at, line] of lines.entries()) {
      const problem = line === '' ? undefined : list.safeParse([line]).error?.issues[0]
      if (problem) context.addIssue({ code: 'custom', message: `line ${at + 1} ${problem.message}` })
    }
    return lines.filter((line) => line !== '')
  })
