import { readFile } from 'node:fs/promises'

export interface CorpusMessage {
  sender: string
  subject: string
  raw: string
}

/** Self-made messages in mbox format; words in braces stand for addresses and dates. */
export async function readCorpus(name: 'spam' | 'honest', to: string): Promise<CorpusMessage[]> {
  const text = await readFile(new URL(`../mail/corpus/${name}.mbox`, import.meta.url), 'utf8')
  const words: Record<string, string> = {
    to,
    domain: to.slice(to.indexOf('@') + 1),
    date: new Date().toUTCString().replace('GMT', '+0000')
  }
  return text
    .replaceAll(/\{base64:([^}]*)\}/g, (_, plain: string) => wrap(Buffer.from(plain).toString('base64')))
    .replaceAll(/\{(\w+)\}/g, (whole, word: string) => words[word] ?? whole)
    .split(/^From (?=\S+@\S+$)/m)
    .slice(1)
    .map((message) => {
      const end = message.indexOf('\n')
      const raw = message
        .slice(end + 1)
        .trimEnd()
        .replaceAll('\n', '\r\n')
      return { sender: message.slice(0, end), subject: /^Subject: (.*)\r$/m.exec(raw)![1]!, raw: `${raw}\r\n` }
    })
}

const wrap = (text: string) => text.replaceAll(/.{76}/g, '$&\n')
