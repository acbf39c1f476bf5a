import { mailPaths, type MailDirectories } from '../mail-server/mail-paths.ts'

export const signingMarker = 'signs'

/**
 * OpenDKIM policy script for all mail of authenticated senders: From must contain only addresses that the login may
 * send as, according to the same files from which the Postfix tables are built. Runs twice: before OpenDKIM knows
 * whether there is a key, where a rejection cannot have a text, and, for domains with a key, at the end of the message.
 */
export function renderSenderRules(directories: MailDirectories): string {
  const { dkim, postfix } = mailPaths(directories)
  return String.raw`-- Written by the panel.
local domains, keys = "${postfix.fragments}", "${dkim.keys}"

-- The addresses in a From header; nil if it is ambiguous.
local function addresses_of(text)
  local plain, depth, quoted, at = {}, 0, false, 1
  text = text:gsub("\r?\n", "")
  if text:find("[^\t%C]") then return nil end
  -- Skips quoted strings and comments; rejects addresses in comments, which some clients display as the sender.
  while at <= #text do
    local sign = text:sub(at, at)
    if sign == "\\" and (quoted or depth > 0) then at = at + 1
    elseif quoted then quoted = sign ~= '"'
    elseif sign == "(" then depth = depth + 1
    elseif depth > 0 then
      if sign:find("[@<>]") then return nil end
      depth = sign == ")" and depth - 1 or depth
    elseif sign == '"' then quoted = true; plain[#plain + 1] = " "
    else plain[#plain + 1] = sign end
    at = at + 1
  end
  if quoted or depth > 0 then return nil end
  local found = {}
  for part in (table.concat(plain) .. ","):gmatch("([^,]*),") do
    local name, address = part:match("^([^<>]*)<%s*([^<>%s]+)%s*>%s*$")
    address = address or part:match("^%s*([^<>%s]+)%s*$")
    if not address or (name or ""):find("[@:;%[%]\\]") then return nil end
    if not address:match("^[^@:;%[%]\\]+@[^@:;%[%]\\]+$") then return nil end
    found[#found + 1] = address:lower()
  end
  return found
end

local function is_name(domain)
  return #domain <= 253 and domain:match("^[a-z0-9][a-z0-9.-]*$") and not domain:find("..", 1, true)
end

-- Same lookup order as Postfix: full address, without +detail, whole domain.
local function may_send_as(login, address)
  local name, domain = address:match("^(.+)@(.+)$")
  if not is_name(domain) then return false end
  local file, problem, code = io.open(domains .. "/" .. domain, "r")
  if not file then
    if code == 2 then return false end
    error(problem)
  end
  local asked = { address, (name:match("^([^+]+)%+") or name) .. "@" .. domain, "@" .. domain }
  local logins = {}
  for line in file:lines() do
    local key, value = line:match("^senders\t([^\t]+)\t(.+)$")
    if key == asked[1] or key == asked[2] or key == asked[3] then logins[key] = value end
  end
  file:close()
  local value = logins[asked[1]] or logins[asked[2]] or logins[asked[3]] or ""
  return (", " .. value .. ", "):find(", " .. login .. ", ", 1, true) ~= nil
end

local function is_allowed(login)
  if odkim.get_header(ctx, "From", 1) then return false end
  local addresses = addresses_of(odkim.get_header(ctx, "From", 0) or "")
  if not addresses then return false end
  for _, address in ipairs(addresses) do
    if not may_send_as(login, address) then return false end
  end
  return true
end

-- Whether the envelope sender's domain is signed, according to the loaded tables.
local function is_signed()
  local domain = (odkim.get_envfrom(ctx) or ""):lower():match("@([^@>]+)>?$")
  local found = domain and is_name(domain) and io.open(keys .. "/" .. domain .. "/${signingMarker}", "r")
  if found then found:close() end
  return found
end

local has_words = odkim.set_reply ~= nil
local login = (odkim.get_mtasymbol(ctx, "{auth_authen}") or ""):lower()
if login ~= "" and (has_words or not is_signed()) and not is_allowed(login) then
  if has_words then
    odkim.set_reply(ctx, "550", "5.7.1", "From: must have an address that " .. login .. " may send as, and no other")
  end
  odkim.set_result(ctx, SMFIS_REJECT)
end
`
}
