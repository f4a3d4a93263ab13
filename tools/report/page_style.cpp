// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools: how the page looks, in light, in dark and on paper.

#include "html.hpp"

namespace pcio_report {

const char* const kPageStyle = R"css(
:root{--page:#f6f7f9;--card:#fff;--text:#1c2733;--soft:#5b6878;--line:#dfe4ea;--accent:#1f5fa8;--track:#e9edf2;
--good:#2b8a57;--warn:#b7791f;--bad:#c0392b;
--p0:#e2a72e;--p1:#8064c8;--p2:#2f74bd;--p3:#2a9d8f;--p4:#d0506a;--p5:#94714d;--p6:#a9b4c0}
@media (prefers-color-scheme:dark){:root{--page:#12171d;--card:#1b222b;--text:#e6ebf1;--soft:#9aa7b6;--line:#303a46;
--accent:#7db4f0;--track:#29323d;--good:#5cc48d;--warn:#e0b04c;--bad:#ef7d6e;
--p0:#efbb4f;--p1:#a48be6;--p2:#5c9fe6;--p3:#4cc4b5;--p4:#ec7d92;--p5:#bd9871;--p6:#6b7887}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main{max-width:1080px;margin:0 auto;padding:32px 24px 64px}
h1{font-size:30px;line-height:1.2;margin:0 0 4px;letter-spacing:-.01em}
h2{font-size:20px;margin:40px 0 12px}
h3{font-size:16px;margin:0;overflow-wrap:anywhere}
p{margin:4px 0}
.soft{color:var(--soft)}.small{font-size:14px}
.lead{font-size:18px;margin:16px 0 20px;max-width:62em}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px;margin:0 0 14px}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(165px,1fr));gap:12px}
.tile{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:14px 16px}
.tile b{display:block;font-size:24px;line-height:1.25;font-weight:650}
.tile span{color:var(--soft);font-size:14px}
ol.advice{list-style:none;margin:0;padding:0;counter-reset:n}
ol.advice>li{counter-increment:n;display:grid;grid-template-columns:44px 1fr 150px;gap:0 14px;align-items:start}
ol.advice>li::before{content:counter(n);font-size:18px;font-weight:650;width:34px;height:34px;line-height:34px;
text-align:center;border-radius:50%;background:var(--track);color:var(--soft)}
ol.advice>li:first-child{border-color:var(--accent);border-width:2px}
ol.advice>li:first-child::before{background:var(--accent);color:var(--card)}
.gain{text-align:right}.gain b{font-size:22px;line-height:1.2;display:block}
.gain .track{height:8px;border-radius:4px;background:var(--track);margin-top:8px;overflow:hidden}
.gain .track i{display:block;height:8px;background:var(--accent);border-radius:4px}
.do{margin-top:8px;padding-left:12px;border-left:3px solid var(--accent)}
.badge{display:inline-block;font-size:13px;font-weight:600;border-radius:10px;padding:1px 10px;border:1px solid currentColor;white-space:nowrap}
.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}
.head{display:flex;gap:10px;flex-wrap:wrap;align-items:baseline;justify-content:space-between;margin-bottom:8px}
dl{display:grid;grid-template-columns:auto 1fr;gap:3px 18px;margin:0 0 12px}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
.wide{overflow-x:auto}
th{text-align:right;font-weight:500;color:var(--soft);font-size:14px;vertical-align:bottom}
td{text-align:right;padding:6px 0 6px 14px;border-top:1px solid var(--line);white-space:nowrap}
th{padding:0 0 6px 14px}th:first-child,td:first-child{text-align:left;padding-left:0}
.bars{display:grid;grid-template-columns:minmax(0,220px) minmax(0,1fr);gap:12px 14px;align-items:center;font-size:14px}
.name{text-align:right;overflow-wrap:anywhere;line-height:1.25}
.cell{display:flex;align-items:center;gap:8px}.cell span{white-space:nowrap}
.bar{display:flex;height:22px;min-width:1px;overflow:hidden}.bar i{display:block;height:100%;min-width:.5px}
.bytes{gap:7px 14px;margin-top:14px}.bytes .name{color:var(--soft)}.bytes .bar{height:13px;border-radius:2px}
.lane{display:block;width:100%;height:22px;overflow:visible}
.axis{position:relative;height:18px;color:var(--soft);font-size:13px;margin-top:-6px}
.axis span{position:absolute;transform:translateX(-50%);white-space:nowrap}
.p0{fill:var(--p0);background:var(--p0)}.p1{fill:var(--p1);background:var(--p1)}.p2{fill:var(--p2);background:var(--p2)}
.p3{fill:var(--p3);background:var(--p3)}.p4{fill:var(--p4);background:var(--p4)}.p5{fill:var(--p5);background:var(--p5)}
.p6{fill:var(--p6);background:var(--p6)}.track{background:var(--track)}
.grid{stroke:var(--line);vector-effect:non-scaling-stroke}
.fgood{fill:var(--good);background:var(--good)}.fwarn{fill:var(--warn);background:var(--warn)}
.fbad{fill:var(--bad);background:var(--bad)}.fsoft{fill:var(--p6);background:var(--p6)}
.legend{display:flex;flex-wrap:wrap;gap:4px 18px;font-size:14px;margin:14px 0 0;color:var(--soft)}
.legend i{width:12px;height:12px;border-radius:3px;display:inline-block;margin-right:6px;vertical-align:-1px}
footer{margin-top:40px;color:var(--soft);font-size:14px;border-top:1px solid var(--line);padding-top:12px}
@media (max-width:640px){main{padding:20px 14px 40px}.card{padding:14px}h1{font-size:25px}
ol.advice>li{grid-template-columns:44px 1fr}.gain{grid-column:2;text-align:left;margin-top:8px}
.bars{grid-template-columns:minmax(0,1fr);gap:4px}.name{text-align:left;margin-top:8px}.bytes{gap:2px}.bytes .name{margin-top:4px}
.axis{margin-top:0}.axis .odd{display:none}td,th{padding-left:8px;font-size:14px}dl{gap:3px 12px}}
@media print{:root{--page:#fff;--card:#fff;--text:#000;--soft:#444;--line:#bbb;--accent:#1f5fa8;--track:#e4e8ed;--good:#2b8a57;
--warn:#b7791f;--bad:#c0392b;--p0:#e2a72e;--p1:#8064c8;--p2:#2f74bd;--p3:#2a9d8f;--p4:#d0506a;--p5:#94714d;--p6:#a9b4c0}
@page{margin:14mm 12mm}body{font-size:10pt}h1{font-size:20pt}.lead{font-size:12pt}.tile b{font-size:15pt}
.tiles{grid-template-columns:repeat(auto-fit,minmax(105px,1fr))}main{padding:0;max-width:none}.card,.tile{break-inside:avoid}h2{break-after:avoid}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
)css";

}  // namespace pcio_report
