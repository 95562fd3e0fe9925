-- What Neovim 0.7 shows of a shader: opened by the client that docs/editors.md sets up, edited, and asked for a definition.
-- Says `ok`, or what is wrong, on standard output.

local function fail(message)
  io.stdout:write("wrong: " .. message .. "\n")
  vim.cmd("cquit 1")
end

local function wait(what, condition)
  if not vim.wait(30000, condition, 10) then
    fail("nothing came of " .. what)
  end
end

local id = vim.lsp.start_client({ name = "wgc", cmd = { vim.env.WGC, "lsp" }, root_dir = vim.fn.getcwd() })
if not id then fail("the server does not start") end
vim.cmd("edit " .. vim.env.SHADER)
local buffer = vim.api.nvim_get_current_buf()
vim.lsp.buf_attach_client(buffer, id)
wait("the start", function()
  local client = vim.lsp.get_client_by_id(id)
  return client and client.initialized
end)

local function messages()
  local all = vim.diagnostic.get(buffer)
  table.sort(all, function(a, b) return a.lnum < b.lnum end)
  return all
end

-- The file has one mistake.
wait("opening", function() return #messages() > 0 end)
local first = messages()[1]
local text = vim.api.nvim_buf_get_lines(buffer, first.lnum, first.lnum + 1, true)[1]
local marked = text:sub(first.col + 1, first.end_col)
if marked ~= "Ouch" then fail("marked is `" .. marked .. "`: " .. first.message) end

-- Mended by hand.
local mended = text:gsub("Ouch", "Out")
vim.api.nvim_buf_set_lines(buffer, first.lnum, first.lnum + 1, true, { mended })
wait("the edit", function() return #messages() == 0 end)

-- From the string in an output's NodeID to the node.
local function position(pattern, plus)
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, true)
  for number, line in ipairs(lines) do
    local at = line:find(pattern, 1, true)
    if at then return { line = number - 1, character = at - 1 + plus } end
  end
  fail("there is no `" .. pattern .. "`")
end
local params = {
  textDocument = vim.lsp.util.make_text_document_params(buffer),
  position = position('NodeID("leaves")]', 10),
}
local answers = vim.lsp.buf_request_sync(buffer, "textDocument/definition", params, 30000)
local found = answers and answers[id] and answers[id].result or {}
local wanted = { position("void leaf", 5), position("void other_leaf", 5) }
if #found ~= 2 then fail(#found .. " definitions") end
for n, place in ipairs(found) do
  local start = place.range.start
  if start.line ~= wanted[n].line or start.character ~= wanted[n].character then
    fail("definition " .. n .. " is at " .. start.line .. ":" .. start.character)
  end
end
io.stdout:write("ok\n")
vim.cmd("qall!")
