"""The codes of ISO 639, parts 1 to 3 and 5: who reads a language tag looks here. Made once, from pycountry 26.2:

from binascii import b2a_base64
from itertools import product
from string import ascii_lowercase as az
from pycountry import language_families, languages

both = (each for each in languages if hasattr(each, "alpha_2"))
short = sorted((each.alpha_2, each.alpha_3, getattr(each, "bibliographic", "")) for each in both)
long = {each.alpha_3 for each in (*languages, *language_families)} | {each[2] for each in short}
long |= {f"q{second}{third}" for second in az[:20] for third in az}  # for use among ourselves
bits = sum(1 << place for place, code in enumerate(map("".join, product(az, repeat=3))) if code in long)
print(" ".join(map("".join, short)), b2a_base64(bits.to_bytes(26**3 // 8, "little"), newline=False))
"""

from typing import Final

SHORT: Final = (
    "aaaar ababk aeave afafr akaka amamh anarg arara asasm avava ayaym azaze babak bebel bgbul bibis bmbam bnben "
    "bobodtib brbre bsbos cacat ceche chcha cocos crcre cscescze cuchu cvchv cycymwel dadan dedeuger dvdiv dzdzo "
    "eeewe elellgre eneng eoepo esspa etest eueusbaq fafasper ffful fifin fjfij fofao frfrafre fyfry gagle gdgla "
    "glglg gngrn guguj gvglv hahau heheb hihin hohmo hrhrv hthat huhun hyhyearm hzher iaina idind ieile igibo iiiii "
    "ikipk ioido isislice itita iuiku jajpn jvjav kakatgeo kgkon kikik kjkua kkkaz klkal kmkhm knkan kokor krkau "
    "kskas kukur kvkom kwcor kykir lalat lbltz lglug lilim lnlin lolao ltlit lulub lvlav mgmlg mhmah mimrimao "
    "mkmkdmac mlmal mnmon mrmar msmsamay mtmlt mymyabur nanau nbnob ndnde nenep ngndo nlnlddut nnnno nonor nrnbl "
    "nvnav nynya ococi ojoji omorm orori ososs papan pipli plpol pspus ptpor quque rmroh rnrun roronrum rurus rwkin "
    "sasan scsrd sdsnd sesme sgsag shhbs sisin skslkslo slslv smsmo snsna sosom sqsqialb srsrp ssssw stsot susun "
    "svswe swswa tatam tetel tgtgk ththa titir tktuk tltgl tntsn toton trtur tstso tttat twtwi tytah uguig ukukr "
    "ururd uzuzb veven vivie vovol wawln wowol xhxho yiyid yoyor zazha zhzhochi zuzul"
)
"""Every code of two letters, and behind it those of three letters that mean the same."""

LONG: Final = (
    "/+3//v//v9v7//7a9x88V2+Xe/j/9/9wvwP//8sFhVD5//3/////9/////////fj6f///028Cn7//3/////3///v/99v9PHwXeefFAcg3/0ffskh"
    "+P//3///f///f/////////////d/7///7/+/z////b//7f////6/////79////v//3f////+///////3///13//////////+///f///f+f//7v//"
    "/////z+9/cWtb0DvnMFDLAwlQQBQRADA///+n7RCRdaTJIj3e+cXV1V5Dhw3f/Pv/+9dOGUIAAD8/7////9/Nz7Hh8//AYEAsAWAACAAAANQAECS"
    "IdD9d//e/l4EAAJkjRnBn3sjAAAA323OIuXZ8/5//8+dFEEEhgDRAPDHZ1/WmV637e8DAAIAAADAV1pHkm0BLtZ7dN//fwAAAAEEVgMAALAUJ1EW"
    "GgABAAAQEUkAAGAQAAAAEAAARAQAEIAFGAAABQCAKAQAABDVLRBkFyRTtdW/480DAIAAQBAAAAAABBc5Ad3XmSGYpwgABUCCAAABBAAAAAIBQABE"
    "AACw/u85AAIAAAAEAAAAAAAgAEAEAAAAAgAAABCjqgUAAAAABCAEpggEAAiBUAAACDGGQAAAAABAQAf1QxAIBAAAAOC7sxMAgAARAAAAAAAAAAAA"
    "AAAA///f7//fz4OiwP/fJ+9f5wMQILDFgEUlmwPfud8D0EiQAQ7Bt5Nc2zjzf/9t+f//fwQIAAEhEnzf/Q+FT0QAAAT//9/W6Bv0N6MNAAAge3kC"
    "B4QA8P///wAYBYEAAACAELQcIQAAAAAAEEAABAi0/qYMQAAAkSQEbABg8P//f/YcBZ/fbgMAEQAAAEAFNb6CKAQABFHi//8/BQkIBUAAAAAAEAEA"
    "DAAAAAAhAmzjSRSJIMBHkAcAAADMUEAkhUeEQCAQACECUIgRANns71Q1DQFpDn3rMwgAIAVAEQAAAFBElknW3afDR5f7ABAACACAAEBFAAECAAFA"
    "gABCCPjr1zvEnRYAAAwEASAg2aIBAAAAEkQAAAQQ8J2VEwSAAAHQFkAAEPCQYkzSAgFKAEYEgAgCACDAAIAGAAgAAAAA8NjvFQIIAAABAAAAABAB"
    "ABAAAAD///9///////9////2////////P/f+3////////3////7//////////////f/f3//3/9///////7777/////9/////////7///7//r/fv/"
    "////9d//v/+/3d//vJgFLP8H8Pv/fwAIAMN9HwbmcvDv/39EIjCfex79/1by/z7f8g6V9///R4ABAgAgQFWfip/5bhGHUfj//3dAAwXRWFwAQAAQ"
    "BAIAIAqA//////7////////v/7//f/////////ff//f//997/////////f+////7///f333///f///f/////////f////3/f/7/vt/9/3//n////"
    "9/72f///f/////f/X/9/n/7///9//38CggT/v///1+////f/4p7n//f/dn3F////////3v+vfw+nUQbEl9Bdr6b//f8jXUv///8/IBQAV1HCZfUN"
    "8v//30KFxQUEIgB0aRAYBUEAAQYAAAAAAFFgBQQBAAAGESAAGAWS8f1nawaVBkft+02de4MEYkAAFUIAAABUx/lfEM7JRt/3ExEAIAAAAJAAAAAA"
    "AAoQAAFAAPDff799vk//v0AUhGGw/316BAIASS0UJv/t8a/vPwAAAsfgHvy3/b279/z3///0/e9D9HcQAQFEf9+33flfBYbv9Tf9HQAAAENxQgBA"
    "AAABQxkkCAD///////////////////////////////////////////////////////////////////////////////////////+951fuE10JwUAh"
    "+hcBgAAAAADw/v+/ACMAIAAACAAAMLXjEAAAABEkFgABAjCCowFQAAGDEUgAAADw39+/EqoQ//hSAIAgAAAAAEAUAgI8QBBCEGFf3zEAAAABXAIg"
    "AAABAEIBIAAA/3//////L9/ez737r///f0tAEPF96/33///7//9/8XvxP/9//7//9///9/3f//3//1f/b4F3n/z3///////+/19XZ+9fUBBy//+f"
    "FZ8VD33GXaGS9f//f//////93f//vfbf/z9AmAK/7//n9v58/v9/0D4Ve7j/vv//9r/393P//+7/99f97y6Av8X////f///////9//9/Rh93//nb"
    "Xc99Frnqe6AeIAAwAgQkSAQAAEDUBgQAAAQABAAwCQZQAAgAQAAkAAQAENx4100PVE/xFmTVSAoAAgBAAAgAAAD8/+sfWEhBJKAEABASQCIAEAAA"
    "AAAAAAEAAAiAEBC/b5MAAQAAAAAAAADAgC8AAAAAAAAKAAAAwIfCAgABAAH+GAIAEvD/eT8AJQAACAoAAAAAAABAABADACkgAAABAACDAAAAAAEA"
    "AAAAAAAAAAAAAAD////Pfr4REAAAkgFGzfleAAEAMBQEURABBPY/MgUEALCAIFV1n33fccx41UP112cUAQAAAAAACPfbH1Rgg2gFEIs4ugEAADAA"
    "JEQAABACMQIBAADw9f+X17xQ1nh6FVAFpITpQQAAAGs5UnRA6SCQYpIAAAJ/7/9/hVP07///8t3HTPVC/P//HwCAwFaMFp/7M33v/7WkrwFEGAFd"
    "TkoIUCgw4IAQICQA////T/4BBogqQBYBABULPgEAABCQaUUCAgHpv78CAAAQ3KfRVJ5E3v2HbrFVINSj2DA9gAAAAEzwEcWEb1AAIlB/v8sHACAQ"
    "hLJFEAZEAAASAhEA8P/9fwUCFokAAAAIABAMAwAAAACDMAIshAEzwAMkAAAAyeQ6RshU8f//fxYBAYRQB/z//w8BAEAQOAEBHBJA4XYGiAMQAAAA"
    "AQAAAAAAIiQKQIAAAA=="
)
"""A bit for each three letters from `aaa` to `zzz`, the lowest first: whether they are a code. In Base64."""
