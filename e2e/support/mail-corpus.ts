import { readFile } from 'node:fs/promises'

export interface CorpusMessage {
  /** Of the envelope. */
  sender: string
  subject: string
  /** With CRLF. */
  raw: string
}

/** Messages of our own making, as such come every day; in a file of the form mbox, with words in braces for whom and when. */
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
