-- What Neovim 0.7 shows of a shader: opened with what docs/editors.md sets up, edited, and asked for a definition and what
-- stands over a name.
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

dofile(vim.env.SETUP)
vim.cmd("edit " .. vim.env.SHADER)
local buffer = vim.api.nvim_get_current_buf()
local client
wait("the start", function()
  client = vim.lsp.buf_get_clients(buffer)
  client = client[next(client)]
  return client and client.initialized
end)
local id = client.id
if client.name ~= "wgc" then fail("the client is " .. client.name) end

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
local function ask(method, place)
  local params = { textDocument = vim.lsp.util.make_text_document_params(buffer), position = place }
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 30000)
  return answers and answers[id] and answers[id].result
end
local found = ask("textDocument/definition", position('NodeID("leaves")]', 10)) or {}
local wanted = { position("void leaf", 5), position("void other_leaf", 5) }
if #found ~= 2 then fail(#found .. " definitions") end
for n, place in ipairs(found) do
  local start = place.range.start
  if start.line ~= wanted[n].line or start.character ~= wanted[n].character then
    fail("definition " .. n .. " is at " .. start.line .. ":" .. start.character)
  end
end

-- The same from the keyboard: the cursor goes there, and to the list of both.
local from = position('NodeID("leaves")]', 10)
vim.api.nvim_win_set_cursor(0, { from.line + 1, from.character })
vim.lsp.buf.definition()
wait("the jump", function()
  local list = vim.fn.getqflist()
  return #list == 2 and list[1].lnum == wanted[1].line + 1
end)

-- What a node is, in a window of its own.
local node = position("void first", 6)
local hover = ask("textDocument/hover", node)
local text = hover and hover.contents.value or ""
if not text:find("thread node, entry", 1, true) or not text:find("3 of 8 records", 1, true) then
  fail("over a node stands: " .. text)
end
vim.cmd(vim.fn.bufwinnr(buffer) .. "wincmd w")
vim.api.nvim_win_set_cursor(0, { node.line + 1, node.character })
vim.lsp.buf.hover()
wait("hovering", function()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true)
      return table.concat(lines, " "):find("thread node, entry", 1, true) ~= nil
    end
  end
end)

-- The settings of the client count, and its command writes a picture.
local command = { command = "wgc.graph", arguments = { vim.uri_from_bufnr(buffer) } }
local answers = vim.lsp.buf_request_sync(buffer, "workspace/executeCommand", command, 30000)
local picture = answers and answers[id] and answers[id].result
if not picture then fail("no picture") end
local file = vim.uri_to_fname(picture.uri)
local svg = table.concat(vim.fn.readfile(file), "\n")
os.remove(file)
if not svg:find("leaves[1]", 1, true) then fail("the picture has no leaves") end
if vim.fn.exists(":WgcGraph") ~= 2 then fail("there is no command WgcGraph") end
io.stdout:write("ok\n")
vim.cmd("qall!")
