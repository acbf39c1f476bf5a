import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { scanDump } from './dump-scan.ts'

const postgresql = `--
-- Name: goods; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.goods (name text);

COPY public.goods (name) FROM stdin;
-- Name: fake; Type: TABLE; Schema: public; Owner: -
-- PostgreSQL database dump complete
\\.

--
-- PostgreSQL database dump complete
--

`
const mysql = `-- MariaDB dump
CREATE TABLE \`goods\` (
  \`name\` text
);
DELIMITER ;;
CREATE PROCEDURE p() BEGIN
INSERT INTO \`goods\` VALUES
(9);
CREATE TABLE inner_one (a int);
END ;;
DELIMITER ;
INSERT INTO \`goods\` VALUES
('INSERT INTO \`goods\` VALUES\\n(1);'),
(NULL);
INSERT INTO \`goods\` VALUES
('b');
/*!50001 CREATE VIEW \`seen\` AS SELECT 1 */;
-- Dump completed
`

test.each([
  ['PostgreSQL', 'POSTGRESQL', postgresql, { tables: 1, rows: 2, isComplete: true }],
  [
    'PostgreSQL, cut off in its rows',
    'POSTGRESQL',
    postgresql.slice(0, postgresql.indexOf('\\.')),
    { tables: 1, rows: 2, isComplete: false }
  ],
  [
    'PostgreSQL, cut off before its end',
    'POSTGRESQL',
    postgresql.slice(0, postgresql.lastIndexOf('-- PostgreSQL')),
    { tables: 1, rows: 2, isComplete: false }
  ],
  ['MariaDB', 'MYSQL', mysql, { tables: 1, rows: 3, isComplete: true }],
  ['MariaDB, cut off', 'MYSQL', mysql.replace('-- Dump completed\n', ''), { tables: 1, rows: 3, isComplete: false }]
] as const)('%s', async (_name, type, text, expected) => {
  expect(await scanDump(Readable.from([text]), type)).toEqual(expected)
})
