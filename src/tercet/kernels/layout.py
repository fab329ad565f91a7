"""Where things lie: slots of the context arrays, opcodes, thread fields and trap codes.

The *vocabulary context* belongs to one vocabulary and holds its trie and the tables of every
terminal compiled for it. The *grammar context* belongs to one compiled grammar: its program, and
the stack nodes, states and mask rows made so far. A *cursor* is where one sequence stands. All are
int64 arrays of addresses and numbers.
"""

from __future__ import annotations

# --- vocabulary context -----------------------------------------------------------------------
(
    V_BYTE,  # uint8[N] trie in depth-first order
    V_SKIP,  # int32[N] index past the subtree
    V_DEPTH,  # int32[N]
    V_FIRST,  # int32[N + 1] tokens that end at node i are V_TOKEN[V_FIRST[i]:V_FIRST[i + 1]]
    V_TOKEN,  # int32[T]
    V_NODES,  # N
    V_ROOT,  # int32[256] the node of each first byte, or -1
    V_DATA,  # uint8[...] bytes of all tokens
    V_OFFSETS,  # int32[size + 1]
    V_SIZE,  # number of token ids
    V_WORDS,  # int32 words in a mask row
    V_LONGEST,  # bytes of the longest token
    V_EOS,  # int32[V_EOS_COUNT]
    V_EOS_COUNT,
    V_BUSY,  # address of int64[1], not 0 while arrays are changed: kernels come back TRAPPED
    V_DENSE_FROM,  # an IN of fewer tokens is walked
    V_GROUP_ROWS,  # int32[128 * words] tokens with a character of a group (kernels/groups.py)
    V_GROUP_START,  # int32[65]
    V_GROUP_TOKENS,  # int32: those of group g are V_GROUP_TOKENS[start[g]:start[g + 1]]
    V_LENGTH_ROWS,  # int32[(longest + 1) * words] row k: tokens of at most k whole characters
    V_LONGER,  # int32[longest + 2] how many have more than k characters
    V_LONGER_TOKENS,  # int32: the first V_LONGER[k] are those
    V_ENDINGS,  # int64[256] address of the record of what is left of tokens from this byte on, or 0
    Q_DELTA,  # int32[Q * 256] transitions of all terminals' DFA states, -1 dead
    Q_ACCEPT,  # uint8[Q]
    Q_BOUNDARY,  # uint8[Q] 1 at the end of a whole character
    Q_MORE,  # int32[Q] characters that going on takes at least, UNBOUNDED if nothing can follow
    Q_LIVE,  # uint64[Q * 4] bytes with a transition
    Q_SOFT,  # uint64[Q * 4] bytes that can go on where the DFA could also end
    Q_LEAST,  # int32[Q] least number of characters still to complete
    Q_MOST,  # int32[Q] greatest, UNBOUNDED if there is none
    Q_OPEN,  # uint8[Q] 1 if every state of this DFA can go on for ever
    Q_CLAMP,  # int32[Q] counts above this don't change a mask
    Q_STATUS,  # uint8[Q] UNBUILT, TABLED or WALKED
    Q_TABLE,  # int64[Q] address of the state's table record
    Q_TAIL,  # int32[Q] state + 3 to which one more continuation byte leads, 0 while not known
    Q_DEAD,  # uint64[Q] groups of which some character doesn't lead on
    Q_ALIVE,  # uint64[Q] groups of which some character does; the last bit says that both are known
    Q_MARK,  # int32[Q] the last search that came here
    Q_AFTER,  # int32[Q] the guard that a lexeme leaves by ending here, 0 for none
    Q_LEAVES,  # int32[Q] the guard that it leaves wherever it ends from here
    V_SLOTS,
) = range(42)

UNBUILT, TABLED, WALKED = 0, 1, 2
UNBOUNDED = 1 << 30

# --- table record of a DFA state: IN and EXIT of design section 3.2 -----------------------------
(
    IN_DENSE,  # address of a mask row, or 0 when IN is a short list
    IN_TOKENS,  # int32[IN_COUNT]
    IN_COUNT,
    COST_TOKENS,  # int32 tokens of IN by rising cost, or 0 while not built
    COST_START,  # int32[COST_COUNT + 2] entries of cost c are COST_TOKENS[start[c]:start[c + 1]]
    COST_COUNT,  # the clamp of the state: the greatest cost that is told from others
    COST_ROW,  # address of a row of further tokens, or 0; they cost their characters and COST_LEAST
    COST_LEAST,
    EXIT_CHARS,  # 256 addresses, 0 while not built: int32 for each token of the endings of a byte,
    # the characters that the terminal has read before them, or -1 where it can't end there
) = range(9)
TABLE_SLOTS = EXIT_CHARS + 256

# --- endings of a byte: what is left of every token from that byte on, as a trie ----------------
(
    REST_NODES,
    REST_BYTE,
    REST_SKIP,
    REST_DEPTH,
    REST_FIRST,
    REST_TOKEN,
    REST_BEFORE,  # int32 for each entry of REST_TOKEN: bytes before
    REST_COUNT,  # entries of REST_TOKEN, or -1 where they would be too many
    REST_SLOTS,
) = range(9)
EXIT_BYTES = 16  # where more bytes can follow a terminal, masks are walked

# --- program ----------------------------------------------------------------------------------
# RETURN stands at pc 0 so that "continue with the callers" is one and the same stack node.
(
    OP_RETURN,
    OP_LITERAL,  # a = trie node
    OP_TERMINAL,  # a = DFA state, b = least characters, c = most characters or -1
    OP_EXCLUDE,  # a = DFA state, b = trie node of the excluded words
    OP_SPLIT,  # a, b = two places to go on
    OP_JUMP,  # a
    OP_CALL,  # a = rule
    OP_ENTER,  # b = min, c = max or -1: start the loop at pc + 1
    OP_LOOP,  # a = body, b = after the loop; the counts are the stack node's
    OP_SCOPE,  # a = body, b = after it: in the body no text has been seen yet
    OP_UNSCOPE,  # back in the memory around the scope, which is the stack node's low count
    OP_UNSEEN,  # a = kind: the text of the terminal at pc + 1 is remembered, and may have to be new
    OP_COMPOSED,  # a = how (kernels/composites.py): the end of a composite, which began as a scope
    OP_CONTEXT,  # the lexer stands in context a now; b = 1 if it only starts
    OP_LEXEME,  # a = terminal of the lexer
    OP_UNLEXED,  # after the lexer's grammar
) = range(16)

# --- grammar context --------------------------------------------------------------------------
(
    G_VOCABULARY,
    G_OP,
    G_A,
    G_B,
    G_C,
    G_RULE,  # int32[rules] pc, or -1 while not compiled
    X_START,  # int32 first edge of a literal trie node
    X_COUNT,  # int32 how many edges; -1 where they aren't made yet (quotes)
    X_END,  # uint8 a word ends here
    E_BYTE,  # uint8 edges by rising byte
    E_TO,  # int32
    K_PC,
    K_LOW,
    K_HIGH,
    K_PARENTS,
    K_MEMORY,  # int32 what has been seen, and what is being read (kernels/memories.py)
    K_CLOSURE,  # int32 offset + 1 in the closure pool, 0 while unknown
    K_LENGTH,
    K_CLAMPED,  # int32 clamped node + 1
    K_STATE,  # int32 state of the closure + 1
    K_TABLE,  # int32[capacity * 2] open addressing, id + 1
    L_OFFSET,
    L_LENGTH,
    L_POOL,
    L_TABLE,
    R_SEEN,  # int32 set of texts of a memory: 0 or list + 1
    R_TEXT,  # int32 the text being read, or 0
    R_TABLE,
    T_PARENT,  # int32 texts as a tree of their bytes
    T_BYTE,
    T_TABLE,
    U_FIRST,  # int32 unions of sets of callers
    U_SECOND,
    U_RESULT,
    U_TABLE,
    C_POOL,  # int32[... * 4] closure threads
    S_OFFSET,
    S_LENGTH,
    S_POOL,  # int32[... * 4] state threads
    S_NEXT,  # int32[S * 256] state + 1, -1 dead, 0 not yet known
    S_LIVE,  # uint64[S * 4]
    S_FLAGS,  # uint8
    S_CLAMPED,  # int32 state + 1 that has the same mask
    S_ROW,  # int32 0 unknown, r + 1 dense row r, -1 sparse
    S_ROW_START,
    S_ROW_COUNT,
    S_TABLE,
    M_DENSE,  # int32[rows * words]
    M_SPARSE,  # int32
    W_TOKENS,  # int32 scratch list of tokens
    W_THREADS,  # int32[... * 4] scratch threads
    W_STACK,  # int32[... * 4] closure stack
    W_VISITED,  # int32[... * 5] closure visited set
    W_LEVEL,  # int32 state per trie depth
    W_MERGE,  # int32 scratch of unions
    W_ALIVE,  # int32[... * 4] completions still to be looked at
    W_CLAMPING,  # int32 nodes that wait for their callers to be clamped
    W_PAIRS,  # int32[... * 2] unions that wait for deeper ones
    Y_ENTER,  # int32[contexts, Y_CARRIES] carry in a context, by the carry before
    Y_AFTER,  # int32[Y_CARRIES, Y_GUARDS] carry after a lexeme that leaves a guard
    Y_START,  # int32[Y_CARRIES, Y_TERMINALS] DFA state in which a lexeme begins, -1 for none
    Y_CARRIES,
    Y_GUARDS,
    Y_TERMINALS,
    G_COUNT,  # int64[COUNTERS]
    G_CAPACITY,  # int64[COUNTERS]
    G_MAKE_CLOSURE,  # addresses of code (kernels/shared.py)
    G_INTERN_STATE,
    G_MAKE_STEP,
    G_MAKE_ROW,
    G_SLOTS,
) = range(71)

# --- counters and capacities -------------------------------------------------------------------
(
    N_NODES,
    N_LISTS,
    N_LIST_POOL,
    N_CLOSURE,
    N_STATES,
    N_THREADS,
    N_DENSE,
    N_SPARSE,
    N_VISITED,
    N_SCRATCH,  # threads in W_THREADS (capacity only)
    N_STACK,  # capacity of W_STACK
    N_STAMP,
    N_MERGE,
    N_UNIONS,
    N_MEMORIES,
    N_TEXTS,
    N_PAIRS,
    N_ALIVE,  # capacity of W_ALIVE
    N_CLAMPING,  # capacity of W_CLAMPING
    TRAP,
    TRAP_ARGUMENT,
    N_LISTED,  # tokens in W_TOKENS, more than SPARSE_LIMIT when the row is not short
    COUNTERS,
) = range(23)

# rows with at most this many tokens are kept as lists
SPARSE_LIMIT = 1024
# dense rows kept per grammar: 32 MB with a vocabulary of 128,000
DENSE_LIMIT = 2048

(
    NO_TRAP,
    TRAP_GROW,
    TRAP_RULE,
    TRAP_TABLE,
    TRAP_EXIT,
    TRAP_COST,
    TRAP_LEXER,
    TRAP_UNFOLD,
) = range(8)
Y_ASK_ENTER, Y_ASK_AFTER, Y_ASK_START = range(3)  # in TRAP_ARGUMENT, above row and column
# What kernels return instead of a state or a count
ENDED = -16  # ENDED - s is state s after an end-of-sequence token
FULL = -5  # the cursor's history has no place for another token
STALE = -4  # the states of the cursor belong to a memory that was let go
TRAPPED = -3
UNKNOWN = -2
DEAD = -1

FLAG_ACCEPTING, FLAG_FINISHED, FLAG_READING, FLAG_DOUBTFUL = 1, 2, 4, 8
# A thread is four int32: position, a, b, stack node.
#   literal   position = trie node,   a = b = 0
#   terminal  position = -1 - q,      a = least characters left, b = most or -1
#   exclude   position = -1 - q,      a = -2 - trie node,        b = -1
#   end       position = END_POSITION
END_POSITION = 1 << 30

# roots of the tree of texts; those of the first two must be new, the others make up composites
KIND_STRING, KIND_NUMBER, NOTED_STRING, NOTED_NUMBER, NOTED_WORD, KIND_KEY = range(1, 7)
VALUE_UNKNOWN, VALUE_DOUBTFUL = 7, 8  # not known to a table: in a composite, or a composite

# --- request record of `find_inside` and `walk_inside` -------------------------------------------
(
    I_ROW,  # int32[words] result: IN as bits
    I_BASE,  # int32[words] result: those of its tokens that are not listed in I_TOKENS
    I_TOKENS,  # int32 result, I_CANDIDATES of them (with doubles): a part of IN
    I_COSTS,  # int32 and the least count that allows each
    I_CANDIDATES,
    I_COUNT,  # result: tokens in IN, or somewhat more
    I_LEAST,  # result: what tokens in I_BASE cost beside their characters; -1 if it differs
    I_STATES,  # int32[CLOSED_LIMIT] scratch
    I_DEPTHS,  # int32[CLOSED_LIMIT] scratch
    I_VIA,  # uint64[CLOSED_LIMIT] scratch
    I_LEVEL,  # int32[longest + 1] scratch
    I_LEVEL_CHARS,  # int32[longest + 1] scratch
    I_LENGTH,  # scratch
    I_LIMIT,  # scratch
    I_GROUPS,  # scratch
    I_STAMP,  # the number of the last search
    I_SLOTS,
) = range(17)
CLOSED_LIMIT = 1024  # states of a closed set
TRIED_LIMIT = 1 << 14  # tokens tried one by one; a walk is quicker than more

# --- cursor, and the handle of its grammar ------------------------------------------------------
(
    CURSOR_HANDLE,
    CURSOR_EPOCH,  # the epoch in which its states were made
    CURSOR_LENGTH,  # tokens taken
    CURSOR_CAPACITY,
    CURSOR_STATES,  # int32[capacity + 1] before each token, and after the last
    CURSOR_TOKENS,  # int32[capacity]
    CURSOR_SLOTS,
) = range(7)
HANDLE_CONTEXT, HANDLE_EPOCH, HANDLE_SLOTS = range(3)

# --- request records of `fill_draft` and of the kernels for many cursors -------------------------
(
    DRAFT_COUNT,
    DRAFT_TOKENS,  # int64[count]
    DRAFT_PARENTS,  # int32[count] the entry before it, always an earlier one; -1 is the cursor
    DRAFT_STATES,  # int32[count + 1] result: the state after each entry, DEAD where it is refused
    DRAFT_ROWS,  # address of count + 1 rows, or 0
    DRAFT_STRIDE,  # bytes
    DRAFT_SLOTS,
) = range(7)
(
    MANY_CURSORS,  # int64[n] addresses of cursors
    MANY_VALUES,  # int64[n] addresses of rows, or tokens
    MANY_RESULTS,  # int64[n] result of each
    MANY_ORDER,  # int64[n] in which order they are worked on
    MANY_SLOTS,
) = range(5)
