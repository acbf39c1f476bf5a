import { plainText } from './plain-text.ts'

interface ForeignProps {
  /** As it came. */
  children: string
  className?: string | undefined
  title?: string | undefined
  /** Of what machines read: addresses, hashes. */
  dir?: 'ltr'
  /** Of sentences that there are in English only. */
  lang?: 'en'
}

/** What somebody else wrote, among our words: its direction is its own, and it turns nothing around that stands beside it. */
export const Foreign = ({ children, title, ...others }: ForeignProps) => (
  <bdi {...others} title={title === undefined ? undefined : plainText(title)}>
    {plainText(children)}
  </bdi>
)
