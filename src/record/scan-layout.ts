// Where the compiled scanner (assembly/scan.ts) puts what it finds of a line. Both sides read these numbers from here.

/** Most lines of one call. */
export const SKETCHES_MAX = 1024
export const BLOCKS_MAX = 8192
/** A line that does not fit goes the exact way. */
export const INPUT_BYTES = 8388608

/** What a sketch is. The scanner was not sure of a line that is none of the others. */
export const NOT_SURE = 0
export const REPLY = 1
export const RESULT = 2
export const PROGRESS = 3
export const SYSTEM = 4
export const SNAPSHOT = 5
export const PROMPT = 6
/** Of a type that is nothing but metadata, and says nothing that is listed or searched. */
export const METADATA = 7
export const ATTACHMENT = 8

/** Numbers of a sketch. An id is where it begins among the ids and its length, -1 for none; a name is its number, or -1. */
export const SKETCH_NUMBERS = 56
export const SKETCH_START = 0
export const SKETCH_END = 1
export const SKETCH_KIND = 2
export const SKETCH_FLAGS = 3
export const ID_UUID = 4
export const ID_PARENT = 6
export const ID_REQUEST = 8
export const ID_MESSAGE = 10
export const ID_LOGICAL_PARENT = 12
export const ID_SOURCE_ASSISTANT = 14
export const ID_SOURCE_CALL = 16
export const ID_SPAWNED = 18
export const ID_SPILL = 20
export const ID_FORK_UUID = 22
export const ID_PARENT_CALL = 24
export const NAME_SESSION = 26
export const NAME_AGENT = 27
export const NAME_CWD = 28
export const NAME_BRANCH = 29
export const NAME_VERSION = 30
export const NAME_MODEL = 31
export const NAME_STOP = 32
export const NAME_AGENT_TYPE = 33
export const NAME_FORK_SESSION = 34
export const NAME_DENIAL = 35
export const NAME_SUBTYPE = 36
/** Days since 1970 and milliseconds of the day; -1 for no time. */
export const TIME_DAY = 37
export const TIME_MS = 38
export const BLOCK_INDEX = 39
/** 1 when there are tokens: five numbers behind it. */
export const TOKENS = 40
export const TOKENS_INPUT = 41
export const TOKENS_OUTPUT = 42
export const TOKENS_READ = 43
export const TOKENS_WRITE = 44
export const TOKENS_WRITE_1H = 45
export const RATES = 46
export const FIRST_BLOCK = 47
export const BLOCK_COUNT = 48
/** What a record says outside of a message: where that begins among the texts, and how many bytes it has; -1 for nothing. */
export const TEXT = 49
export const TEXT_LENGTH = 50
/** A name: the type, of a kind that has several. */
export const NAME_TYPE = 51
export const ID_PROMPT = 52
/** Where an attachment begins in the input, as it is written there; 0 for none. */
export const ATTACHED = 54
export const ATTACHED_LENGTH = 55

export const FLAG_SIDECHAIN = 1
export const FLAG_TEAM = 2
export const FLAG_META = 4
export const FLAG_OTHER_THAN_ASCII = 8
/** Some character is written as \u and four digits. */
export const FLAG_ESCAPES = 16
export const FLAG_FORK = 32
/** The same as in the line before, of which the scanner was sure too: the parent is its uuid. */
export const FLAG_SAME_PARENT = 64
export const FLAG_SAME_MESSAGE = 128
export const FLAG_SAME_REQUEST = 256
/** The text of the record holds something outside of ASCII. */
export const FLAG_TEXT_OTHER = 512
/** The reply that a result belongs to is its parent. */
export const FLAG_SAME_SOURCE = 1024
/** The client itself says that a human wrote it. */
export const FLAG_BY_HUMAN = 2048

export const RATE_FAST = 1
export const RATE_US = 2
export const RATE_BATCH = 4
export const RATE_PRIORITY = 8

/** Numbers of a Block. */
export const BLOCK_NUMBERS = 10
export const BLOCK_KIND = 0
export const BLOCK_FLAGS = 1
export const BLOCK_ID = 2
export const BLOCK_NAME = 4
/** Where its text begins among the texts, decoded to UTF-8, and how many bytes it has. */
export const BLOCK_TEXT = 5
export const BLOCK_TEXT_LENGTH = 6
/** Where the input of a call begins in the line, as it is written there. */
export const BLOCK_INPUT = 7
export const BLOCK_INPUT_LENGTH = 8

export const BLOCK_HAS_TEXT = 1
export const BLOCK_HAS_THINKING = 2
export const BLOCK_HAS_INPUT = 4
export const BLOCK_IS_ERROR = 8
/** Its text holds something outside of ASCII. */
export const BLOCK_OTHER_THAN_ASCII = 16
export const BLOCK_HAS_CONTENT = 32

/** Which keys an object may have, each object a table of its own. */
export const TABLE_RECORD = 0
export const TABLE_MESSAGE = 1
export const TABLE_USAGE = 2
export const TABLE_WRITES = 3
export const TABLE_BLOCK = 4
export const TABLE_PART = 5
export const TABLE_RESULT = 6
export const TABLE_PROGRESS = 7
export const TABLE_FORK = 8
export const TABLE_ATTACHMENT = 9
export const TABLE_ORIGIN = 10
/** Not keys but texts: types of records, and what the client says about who wrote a user's. */
export const TABLE_TYPE = 11
export const TABLE_MARK = 12
export const TABLES = 13
export const TABLE_SLOTS = 512

/** What is done with the value of a key. 0 to 63 are the places of ids and names in the sketch. */
export const DO_SKIP = 64
export const DO_TYPE = 65
export const DO_TIME = 66
export const DO_SIDECHAIN = 67
export const DO_TEAM = 68
export const DO_META = 69
export const DO_BLOCK_INDEX = 70
export const DO_MESSAGE = 71
export const DO_RESULT = 72
export const DO_PROGRESS = 73
export const DO_FORK = 74
export const DO_FALSE = 75
export const DO_CONTENT = 76
export const DO_USAGE = 77
export const DO_WRITES = 78
export const DO_SPEED = 79
export const DO_GEO = 80
export const DO_TIER = 81
export const DO_KIND = 82
export const DO_TEXT = 83
export const DO_THINKING = 84
export const DO_INPUT = 85
export const DO_ERROR = 86
export const DO_BLOCK_ID = 87
export const DO_BLOCK_NAME = 88
export const DO_CALL_ID = 89
export const DO_OWN_TEXT = 91
/** Only a snapshot may have it. */
export const DO_SNAPSHOT_OF = 92
/** A system record that has it is not for us. */
export const DO_NO_SYSTEM = 93
export const DO_SUBTYPE = 94
export const DO_RESULT_TEXT = 95
export const DO_PART_KIND = 96
export const DO_PART_TEXT = 97
export const DO_PROMPT_ID = 98
/** Says who wrote a user's record: the scanner takes none for a prompt that has it. */
export const DO_PROMPT_MARK = 99
export const DO_PROMPT_SOURCE = 100
export const DO_TURN_ORIGIN = 101
export const DO_ORIGIN = 102
export const DO_ORIGIN_KIND = 103
export const DO_ATTACHMENT = 104
/** The scanner does not know what this key does. */
export const DO_GIVE_UP = 90
/** The texts of TABLE_MARK. */
export const MARK_HUMAN = 1
export const MARK_TYPED = 2
export const MARK_SYSTEM = 3
export const MARK_TASK = 4
/** One of the numbers of tokens: this and its place in the sketch. */
export const DO_TOKENS = 128
