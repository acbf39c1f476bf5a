import { plainText } from './plain-text.ts'

interface ForeignProps {
  children: string
  className?: string | undefined
  title?: string | undefined
  dir?: 'ltr'
  lang?: 'en'
}

/** Text from users or programs. Isolates its direction from the text around it. */
export const Foreign = ({ children, title, ...others }: ForeignProps) => (
  <bdi {...others} title={title === undefined ? undefined : plainText(title)}>
    {plainText(children)}
  </bdi>
)
